"""The dependency rule of ARCHITECTURE.md: imports go downwards only."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "src" / "halma_fast"

# Lowest first; modules of one line do not know each other, except where a line below says so.
LAYERS = [
    {"errors"},
    {"checks"},
    {"types", "files"},
    {"notation"},
    {"variants"},
    {"_kernel.types", "_kernel.values", "_kernel.values_pulce", "_kernel.nets", "_kernel.score"},
    {"_kernel.planes", "_kernel.tuning"},
    {"_kernel.small", "_kernel.net"},
    {"_kernel.geometry", "_kernel.control"},
    {"_kernel.state"},
    {"_kernel.evaluate_pulce"},
    {"_kernel.movegen", "_kernel.evaluate"},
    {"_kernel.duty"},
    {"_kernel.ending", "_kernel.chain", "_kernel.order", "_kernel.table"},
    {"_kernel.pairs", "_kernel.small_pairs", "_kernel.perft_table", "_kernel.placement", "_kernel.unmove"},
    {"_kernel.perft", "_kernel.node", "_kernel.solve", "_kernel.race"},
    {"_kernel.search"},
    {"_kernel.kernel"},
    {"_kernel.level"},
    {"_kernel.dispatch"},
    {"move", "interrupts", "clock"},
    {"refusal"},
    {"position"},
    {"analysis", "timing", "evaluation"},
    {"count", "render", "svg", "solver", "racer"},
    {"race", "roots"},
    {"engine"},
    {"parts", "checkpoint", "cluster", "container"},
    {"solution"},
    {"perft", "compare", "solve"},
    {"suite"},
    {"recorded_move"},
    {"game_record", "csci"},
    {"records"},
    {"session", "levels"},
    {"ugi.words", "ugi.process"},
    {"ugi.settings", "ugi.reading"},
    {"ugi.client", "ugi.server"},
    {"ugi.__init__"},
    {"elo", "openings", "players", "selfplay"},
    {"game"},
    {"pulce"},
    {"standing"},
    {"match"},
    {"match_file"},
    {"__init__"},
    {"web.__init__", "web.limits", "web.faults", "web.hops", "web.fair_queue", "web.store"},
    {"web.guard", "web.messages", "web.engines"},
    {"web.games", "web.sockets"},
    {"web.fragment", "web.recordings"},
    {"web.view"},
    {"web.rooms", "web.engine_socket"},
    {"web.hub"},
    {"web.room_socket"},
    {"web.app"},
    {"web.server"},
    {"cli.output", "cli.options", "cli.files"},
    {"cli.progress", "cli.prompt", "cli.typed"},
    {"cli.game"},
    {"cli.suite", "cli.compare"},
    {
        "cli.perft",
        "cli.bestmove",
        "cli.match",
        "cli.moves",
        "cli.show",
        "cli.eval",
        "cli.play",
        "cli.record",
        "cli.serve",
    },
    {"cli.ugi", "cli.bench", "cli.info", "cli.csci", "cli.solve", "cli.race"},
    {"cli.app"},
    {"cli.__init__"},
    {"__main__"},
]
RANK = {module: rank for rank, layer in enumerate(LAYERS) for module in layer}
SOURCES = sorted(p for p in ROOT.rglob("*") if p.suffix in {".py", ".pyx", ".pxd", ".pxi", ".pyi", ".h"})
# Also inside functions: an import is a tie wherever it stands. Only what a type checker alone reads is none.
IMPORT = re.compile(r"^[ \t]*(?:from|import)\s+halma_fast(?:\.([\w.]+))?(?:\s+(?:c?import)\s+(.*))?", re.MULTILINE)
FOR_TYPES_ONLY = re.compile(r"^if TYPE_CHECKING:\n(?:[ \t]+.*\n|\n)+", re.MULTILINE)
RELATIVE = re.compile(r"^[ \t]*from\s+\.", re.MULTILINE)
# Ties that go upwards, at the call: a position draws itself, and workers are asked for their package's version.
UPWARDS = {("position", "render"), ("position", "svg"), ("cluster", "__init__")}


def module_of(path: Path) -> str:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    if re.fullmatch(r"_kernel\.level(_\w+)?", name):
        return "_kernel.level"
    return "_kernel.types" if name == "_kernel.__init__" else name


def imported(path: Path) -> set[str]:
    found = set()
    text = FOR_TYPES_ONLY.sub("", path.read_text(encoding="utf-8"))
    assert not RELATIVE.search(text), f"{path.name}: a relative import, expected the full name"
    for module, names in IMPORT.findall(text):
        if not module:
            found.add("__init__")
        elif module in {"_kernel", "cli"}:
            found |= {f"{module}.{name}" for name in re.findall(r"\w+", names) if f"{module}.{name}" in RANK}
        elif module in RANK:
            found.add(module)
        else:
            found.add(f"{module}?")
    return found


def test_every_module_has_its_layer():
    assert {module_of(path) for path in SOURCES if path.suffix != ".h"} == set(RANK)


@pytest.mark.parametrize("path", [p for p in SOURCES if p.suffix != ".h"], ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_downwards(path):
    module = module_of(path)
    for other in imported(path) - {module} - {upper for lower, upper in UPWARDS if lower == module}:
        assert RANK[other] < RANK[module], f"{module} imports {other}"


def test_kernel_units_hold_no_python_objects():
    for path in (ROOT / "_kernel").glob("*.pxd"):
        text = path.read_text(encoding="utf-8")
        for line in text.splitlines():
            if line.startswith("cdef inline"):
                head = text[text.index(line) :].split(":\n", 1)[0]
                assert "noexcept nogil" in head, f"{path.name}: {line}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_tests_named_as_guards_exist(path):
    for named in re.findall(r"tests/[\w/]+(?:\.py)?", path.read_text(encoding="utf-8")):
        assert (ROOT.parents[1] / named.rstrip(".")).exists(), f"{path.name} names {named}"
