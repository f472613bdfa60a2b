"""`halma-fast match`: play two players against each other and report Elo. Guarded by tests/cli/test_match.py."""

from __future__ import annotations

import contextlib
import math
from typing import Any, Final

import click

from halma_fast import HalmaError, Position, Variant
from halma_fast.cli.options import integer, json_option, number, seconds, takes_position
from halma_fast.cli.output import count, print_fields, print_json, print_table, print_text
from halma_fast.cli.progress import ProgressLine
from halma_fast.clock import TimeControl
from halma_fast.cluster import cluster_executor
from halma_fast.elo import Estimate, Sprt
from halma_fast.game import DEFAULT_MARGIN, Control, Effort
from halma_fast.match import DEFAULT_GAMES, Match, MatchSettings
from halma_fast.match_file import MatchFile
from halma_fast.openings import DEFAULT_PLIES
from halma_fast.players import PlayerSpec
from halma_fast.pulce import DEFAULT_ROUNDS
from halma_fast.standing import Game

__all__ = ["match"]

_DEFAULT_SECONDS: Final = 0.1
# Games in the hands of a cluster at a time: more than it has threads, so that none waits.
_DEFAULT_ON_CLUSTER: Final = 32


@click.command()
@click.argument("player_a", metavar="A")
@click.argument("player_b", metavar="B")
@takes_position
@click.option(
    "--games", callback=integer, metavar="N", help=f"An even number. Default: {DEFAULT_GAMES}, or no end with --sprt."
)
@click.option("--depth", callback=integer, metavar="D", help="Plies a move.")
@click.option("--nodes", callback=integer, metavar="N", help="Nodes a move.")
@click.option("--time", callback=seconds, metavar="S", help="Seconds a move. Default without another limit: 0.1.")
@click.option("--clock", metavar="S+I", help="Seconds a game and increment a move, like 60+0.6.")
@click.option("--margin", callback=seconds, default=str(DEFAULT_MARGIN), metavar="S", help="Seconds that are forgiven.")
@click.option(
    "--plies", callback=integer, default=str(DEFAULT_PLIES), metavar="N", help="Random moves at the start. Default: 8."
)
@click.option("--seed", callback=integer, default="1", metavar="N", help="Of openings and random players. Default: 1.")
@click.option(
    "--rounds", callback=integer, default=str(DEFAULT_ROUNDS), metavar="N", help="Of a match of Pulce. Default: 3."
)
@click.option("--same-beginner", is_flag=True, help="One side begins all rounds of Pulce, instead of taking turns.")
@click.option("--sprt", nargs=2, metavar="ELO0 ELO1", help="Stop when either difference is accepted, at 5 % error.")
@click.option("--concurrency", callback=integer, metavar="N", help="Games at a time. Default: 1, with --scheduler 32.")
@click.option("--scheduler", metavar="ADDRESS", help="Play on the Dask cluster at tcp://HOST:PORT.")
@click.option("--out", metavar="FILE", help="Append every finished game there at once.")
@click.option("--resume", is_flag=True, help="Go on with the match that --out has begun.")
@json_option
def match(
    player_a: str,
    player_b: str,
    position: Position,
    games: int | None,
    depth: int | None,
    nodes: int | None,
    time: float | None,
    clock: str | None,
    margin: float,
    plies: int,
    seed: int,
    rounds: int,
    same_beginner: bool,
    sprt: tuple[str, str] | None,
    concurrency: int | None,
    scheduler: str | None,
    out: str | None,
    resume: bool,
    as_json: bool,
) -> None:
    """Play a match between two players and report Elo with its error.

    A and B: random, greedy, engine, engine:depth=4,hash=64,threads=2 (and nodes=, time=), level:3 as in play, or
    ugi:COMMAND;Name=Value for a program that speaks UGI. Each opening is played twice, sides swapped. Only the rules
    end a game; without --max-turns the cap is 40 turns a file of the board. A game of Pulce is a match of rounds.
    --win occupied ends Halma games that otherwise never end.
    """
    if resume and out is None:
        raise click.UsageError("--resume needs --out")
    test = None if sprt is None else Sprt(number(sprt[0], "--sprt"), number(sprt[1], "--sprt"))
    if games is None and test is None:
        games = DEFAULT_GAMES
    control = Control(depth, nodes, time)
    if clock is not None:
        both = TimeControl.from_text(clock)
        control = Control(depth, nodes, time, both.seconds, both.increment)
    if control.is_empty and any(PlayerSpec.parse(spec).needs_limit for spec in (player_a, player_b)):
        control = Control(time=_DEFAULT_SECONDS)
    settings = MatchSettings(
        player_a,
        player_b,
        position.variant,
        control,
        fen=None if position.fen() == position.variant.start_fen else position.fen(),
        seed=seed,
        plies=plies,
        margin=margin,
        rounds=rounds,
        alternate=not same_beginner,
    )
    Match(settings, games, sprt=test)  # refuses what is wrong before a file is made
    with contextlib.ExitStack() as stack:
        file = None if out is None else stack.enter_context(MatchFile(out, settings, resume=resume))
        played = Match(settings, games, sprt=test, done=[] if file is None else file.games)
        try:
            executor = None if scheduler is None else stack.enter_context(cluster_executor(scheduler))
            line = stack.enter_context(ProgressLine("playing"))

            def on_game(game: Game) -> None:
                if file is not None:
                    file.append(game)
                if line.wanted:
                    line.update(_progress(played))

            if concurrency is None:
                concurrency = 1 if executor is None else _DEFAULT_ON_CLUSTER
            played.run(concurrency=concurrency, executor=executor, on_game=on_game)
        except (KeyboardInterrupt, HalmaError, OSError):
            stack.close()  # the line must be gone before anything is printed
            if played.standing.games:
                _report(played, as_json)
            raise
    _report(played, as_json)


def _progress(played: Match) -> str:
    standing = played.standing
    of = "" if played.games is None else f" of {count(played.games)}"
    words = f"{count(standing.games)}{of} games, +{standing.wins} ={standing.draws} -{standing.losses}"
    if standing.pentanomial.pairs:
        words += f", Elo {standing.pentanomial.elo()}"
    if played.sprt is not None:
        words += (
            f", LLR {played.sprt.llr(standing.pentanomial):.2f} of {played.sprt.lower:.2f} to {played.sprt.upper:.2f}"
        )
    return words


def _report(played: Match, as_json: bool) -> None:
    if as_json:
        print_json(_as_object(played))
    else:
        _print(played)


def _as_object(played: Match) -> dict[str, Any]:
    standing, settings, test = played.standing, played.settings, played.sprt
    pairs = standing.pentanomial
    scored = settings.variant.scored
    return {
        **settings.identity,
        "games": standing.games,
        "wanted": played.games,
        "complete": played.is_over,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "score": standing.score,
        "as_x": dict(zip(("wins", "draws", "losses"), standing.as_x, strict=True)),
        "as_o": dict(zip(("wins", "draws", "losses"), standing.as_o, strict=True)),
        "pentanomial": list(pairs.counts),
        "elo": _estimate(pairs.elo()) if pairs.pairs else None,
        "normalized_elo": _estimate(pairs.normalized_elo()),
        "los": pairs.superiority() if pairs.pairs else None,
        "sprt": None
        if test is None
        else {
            "elo0": test.elo0,
            "elo1": test.elo1,
            "alpha": test.alpha,
            "beta": test.beta,
            "llr": test.llr(pairs),
            "lower": test.lower,
            "upper": test.upper,
            "accepted": played.decision,
        },
        "turns_a_game": standing.turns / standing.games if standing.games else None,
        "rounds_played": standing.rounds if scored else None,
        "points": list(standing.points) if scored else None,
        "efforts": [{"moves": effort.moves, "depth": effort.depth, "nps": effort.nps} for effort in standing.efforts],
        "endings": [
            {"result": result, "reason": reason, "count": times}
            for (result, reason), times in standing.endings.most_common()
        ],
    }


def _estimate(estimate: Estimate | None) -> dict[str, float | None] | None:
    """JSON has no infinity: `None` stands for it."""
    if estimate is None:
        return None
    values = {"value": estimate.value, "low": estimate.low, "high": estimate.high, "error": estimate.error}
    return {name: value if math.isfinite(value) else None for name, value in values.items()}


def _print(played: Match) -> None:
    standing, settings, test = played.standing, played.settings, played.sprt
    pairs = standing.pentanomial
    scored = settings.variant.scored
    usual = Variant.named(settings.variant.name).rules
    changed = [f"{rule}={value}" for rule, value in settings.variant.rules.items() if value != usual[rule]]
    fields = [
        ("A", settings.first),
        ("B", settings.second),
        ("variant", " ".join([settings.variant.name, *changed])),
        ("limits", str(settings.control)),
        ("games", f"{count(standing.games)}{'' if played.is_over else ', not complete'}"),
        ("result", f"{standing.wins} wins, {standing.draws} draws, {standing.losses} losses of A"),
        ("as x", _result(standing.as_x)),
        ("as o", _result(standing.as_o)),
        ("score", "none" if standing.score is None else f"{100 * standing.score:.2f} %"),
        ("pairs 0-2", " ".join(map(str, pairs.counts))),
    ]
    if pairs.pairs:
        fields += [("Elo", _elo(pairs.elo())), ("LOS", f"{100 * pairs.superiority():.2f} %")]
        normalized = pairs.normalized_elo()
        if normalized is not None:
            fields.append(("normalised", _elo(normalized)))
    if test is not None:
        verdict = {"H0": f"{test.elo0:g} accepted", "H1": f"{test.elo1:g} accepted", None: "not decided"}[
            played.decision
        ]
        llr = f"LLR {test.llr(pairs):.2f} of {test.lower:.2f} to {test.upper:.2f}"
        fields.append(("SPRT", f"{test.elo0:g} or {test.elo1:g} Elo: {verdict}, {llr}"))
    if scored:
        fields.append(("points", f"{standing.points[0]} : {standing.points[1]} in {count(standing.rounds)} rounds"))
    if standing.games:
        fields.append(("length", f"{standing.turns / standing.rounds:.1f} turns a {'round' if scored else 'game'}"))
    for name, effort in zip("AB", standing.efforts, strict=True):
        fields.append((f"search of {name}", _effort(effort)))
    print_fields(fields)
    print_text("")
    rows = [(result, reason, str(times)) for (result, reason), times in standing.endings.most_common()]
    print_table(("A's " + ("rounds" if scored else "games"), "reason", "count"), rows, "<<>")


def _result(counts: list[int]) -> str:
    return f"{counts[0]} wins, {counts[1]} draws, {counts[2]} losses"


def _elo(estimate: Estimate) -> str:
    """Value and error, and the interval, whose ends may be far from alike."""
    error = f" ± {estimate.error:.1f}" if math.isfinite(estimate.error) else ""
    return f"{estimate.value:+.1f}{error} (95 %: {estimate.low:+.1f} to {estimate.high:+.1f})"


def _effort(effort: Effort) -> str:
    if not effort.moves:
        return "none told"
    depth = "no depth" if effort.depth is None else f"depth {effort.depth:.2f}"
    return (
        f"{depth}, {'no speed' if effort.nps is None else f'{count(effort.nps)} nodes/s'}, {count(effort.moves)} moves"
    )
