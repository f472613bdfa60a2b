"""`halma-fast bestmove`: search a position. Guarded by tests/cli/test_bestmove.py."""

from __future__ import annotations

from typing import Final

import click

from halma_fast import Engine, Info, Limit, Position, Score
from halma_fast.cli.options import integer, json_option, seconds, takes_position
from halma_fast.cli.output import count, duration, path_names, print_fields, print_json
from halma_fast.cli.progress import ProgressLine

__all__ = ["bestmove"]

_DEFAULT_SECONDS: Final = 1.0
_MAX_SHOWN_LINE: Final = 4


@click.command()
@takes_position
@click.option("--depth", callback=integer, metavar="D", help="Stop after this depth in plies, 1 to 100.")
@click.option("--nodes", callback=integer, metavar="N", help="Stop after this many nodes.")
@click.option("--time", callback=seconds, metavar="S", help="Stop after this many seconds. Default without a limit: 1.")
@click.option("--hash", "hash_mb", callback=integer, default="16", show_default=True, metavar="MB", help="Table size.")
@click.option("--threads", callback=integer, default="1", show_default=True, metavar="N", help="Threads, 1 to 256.")
@click.option("--multipv", callback=integer, default="1", show_default=True, metavar="N", help="Rank the N best moves.")
@json_option
def bestmove(
    position: Position,
    depth: int | None,
    nodes: int | None,
    time: float | None,
    hash_mb: int,
    threads: int,
    multipv: int,
    as_json: bool,
) -> None:
    """Find the best move of a position.

    Limits combine: the search stops at the first one reached.
    """
    if depth is None and nodes is None and time is None:
        time = _DEFAULT_SECONDS
    limit = Limit(depth=depth, nodes=nodes, time=time)
    engine = Engine(hash_mb=hash_mb, threads=threads)
    found: list[Info] = []
    with ProgressLine("searching") as line:

        def report(info: Info) -> None:
            if info.multipv > 1 or info.bound != "exact":
                return
            found.append(info)
            moves = " ".join(move.text for move in info.pv[:_MAX_SHOWN_LINE])
            line.update(f"depth {info.depth}, {_score_words(info.score)}, {count(info.nodes)} nodes, {moves}")

        try:
            result = engine.search(position, limit, multipv=multipv, on_info=report)
        except KeyboardInterrupt:
            if not found:
                raise
            best = found[-1]
            raise KeyboardInterrupt(f"best move so far {best.pv[0]}, {best.score}, depth {best.depth}") from None

    path = path_names(position, result.best_move)
    if as_json:
        print_json(
            {
                "variant": position.variant.name,
                "fen": position.fen(),
                "best_move": result.best_move.text,
                "path": path,
                "score": {"kind": result.score.kind, "value": result.score.value},
                "depth": result.depth,
                "seldepth": result.seldepth,
                "nodes": result.nodes,
                "seconds": round(result.seconds, 6),
                "nps": result.nps,
                "hashfull": result.hashfull,
                "pv": [move.text for move in result.pv],
                "lines": [
                    {
                        "multipv": info.multipv,
                        "depth": info.depth,
                        "bound": info.bound,
                        "score": {"kind": info.score.kind, "value": info.score.value},
                        "pv": [move.text for move in info.pv],
                    }
                    for info in result.lines
                ],
            }
        )
        return
    print_fields(
        [
            ("variant", position.variant.name),
            ("position", position.fen()),
            ("best move", result.best_move.text),
            ("path", " ".join(path) or "none"),
            ("score", _score_words(result.score)),
            ("depth", f"{result.depth} (selective {result.seldepth})"),
            ("nodes", count(result.nodes)),
            ("time", duration(result.seconds)),
            ("speed", f"{count(result.nps)} nodes/s"),
            *(
                (f"line {info.multipv}" if multipv > 1 else "line", _line_words(info, scored=multipv > 1))
                for info in result.lines
            ),
        ]
    )


def _line_words(info: Info, *, scored: bool) -> str:
    moves = " ".join(move.text for move in info.pv)
    return f"{info.score}  {moves}" if scored else moves


def _score_words(score: Score) -> str:
    return f"{score} points" if score.kind == "points" else f"{score} plies"
