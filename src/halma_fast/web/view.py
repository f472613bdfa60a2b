"""A match as one JSON object, from which the page draws everything: it needs to know no rule.

Owns the names of the fields (docs/serve.md). Invariant: all that is shown comes from the engine: legal moves, paths,
the end, points. Guarded by tests/web/test_view.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from halma_fast.notation import square_name
from halma_fast.position import Position
from halma_fast.types import Info, Outcome, Score, Side
from halma_fast.variants import VARIANTS, Variant
from halma_fast.web.fragment import write_fragment
from halma_fast.web.games import Made, Match
from halma_fast.web.hops import hop_graph, men_of

__all__ = ["current_view", "full_view", "info_object", "made_object", "names", "outcome_object", "variant_objects"]


def names(squares: Iterable[int]) -> list[str]:
    """Return the names of squares, in order of the squares for a set."""
    return [square_name(square) for square in (sorted(squares) if isinstance(squares, frozenset | set) else squares)]


def _sides(pair: tuple[Iterable[int], Iterable[int]]) -> dict[str, list[str]]:
    return {side.letter: names(pair[side]) for side in Side}


def outcome_object(outcome: Outcome | None) -> dict[str, Any] | None:
    """Return how a round ended, `None` while it goes on."""
    if outcome is None:
        return None
    winner = None if outcome.winner is None else outcome.winner.letter
    return {"winner": winner, "reason": outcome.reason.value, "points": outcome.points}


def made_object(made: Made) -> dict[str, Any]:
    """Return a move that was made."""
    return {"move": made.move.text, "side": made.side.letter, "number": made.number, "path": names(made.path)}


def full_view(match: Match, *, legal: bool = True) -> dict[str, Any]:
    """Return everything about a match; `legal`: with the moves that can be made now, and their hops."""
    variant, round_ = match.variant, match.current
    return {
        "holes": names(variant.holes),
        "home": _sides(variant.home),
        "goal": _sides(variant.goal),
        "start": _sides(men_of(round_.start)),
        "moves": [made_object(made) for made in round_.made],
        "earlier": [finished.texts() for finished in match.finished],
        **current_view(match, legal=legal),
    }


def current_view(match: Match, *, legal: bool = True) -> dict[str, Any]:
    """Return what a move can change, and what names the game: a view for whoever has seen the one before."""
    variant, round_ = match.variant, match.current
    position = round_.position
    men = men_of(position)
    outcome = round_.outcome
    return {
        "setup": {"variant": variant.name, "rules": variant.rules, "fen": match.fen, "rounds": match.rounds},
        "family": variant.family,
        "size": variant.size,
        "first": round_.start.turn.letter,
        "men": _sides(men),
        "turn": position.turn.letter,
        "ply": len(round_.made),
        "number": position.move_number,
        "fen": position.fen(),
        "legal": _legal(position) if legal and outcome is None else [],
        "chains": _chains(position, men) if legal and outcome is None else {},
        "outcome": outcome_object(outcome),
        "progress": {
            **{side.letter: len(men[side] & variant.goal[side]) for side in Side},
            "of": variant.men,
        },
        "frozen": names((men[0] & variant.goal[0]) | (men[1] & variant.goal[1])) if variant.frozen_goal else [],
        "match": _match(match) if variant.scored else None,
        "fragment": write_fragment(match),
    }


def _legal(position: Position) -> list[dict[str, Any]]:
    return [{"move": move.text, "path": names(position.path(move))} for move in sorted(position.legal_moves)]


def _chains(position: Position, men: tuple[frozenset[int], frozenset[int]]) -> dict[str, dict[str, list[str]]]:
    """Return the hops of each man that has a legal chain of them."""
    chains = {}
    # A hop keeps the parity of file and rank, a step never does.
    hopping = {
        move.from_square for move in position.legal_moves if move and not (move.from_square ^ move.to_square) & 17
    }
    for origin in sorted(hopping):
        graph = hop_graph(position, origin, men)
        chains[square_name(origin)] = {square_name(square): names(targets) for square, targets in graph.items()}
    return chains


def _match(match: Match) -> dict[str, Any]:
    results = match.results
    winner = match.winner
    return {
        "round": len(match.finished) + 1,
        "rounds": match.rounds,
        "results": [{"first": first.letter, "outcome": outcome_object(outcome)} for first, outcome in results],
        "points": match.points,
        "over": match.over,
        "winner": None if winner is None else winner.letter,
        "next": match.current.outcome is not None and not match.over,
    }


def info_object(info: Info) -> dict[str, Any]:
    """Return a line of a search, with the numbers that the command line prints."""
    return {
        "depth": info.depth,
        "seldepth": info.seldepth,
        "multipv": info.multipv,
        "score": _score(info.score),
        "bound": info.bound,
        "nodes": info.nodes,
        "seconds": round(info.seconds, 6),
        "nps": info.nps,
        "hashfull": info.hashfull,
        "pv": [move.text for move in info.pv],
    }


def _score(score: Score) -> dict[str, Any]:
    return {"kind": score.kind, "value": score.value, "margin": score.margin, "text": str(score)}


def variant_objects() -> list[dict[str, Any]]:
    """Return the variants that have a name, with what a page shows before a game begins."""
    return [_variant(variant) for variant in VARIANTS.values()]


def _variant(variant: Variant) -> dict[str, Any]:
    return {
        "name": variant.name,
        "family": variant.family,
        "size": variant.size,
        "men": variant.men,
        "holes": names(variant.holes),
        "home": _sides(variant.home),
        "goal": _sides(variant.goal),
        "start": _sides(variant.start),
        "rules": variant.rules,
        "rounds": 3 if variant.scored else 1,
    }
