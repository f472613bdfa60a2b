"""Games to record: any variant, any rules, any start, and whatever may be said of moves."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from halma_fast import Position, Score, Variant
from halma_fast.records import GameRecord, RecordedMove

HALMA_RULES = {
    "goal_lock": st.sampled_from(["hop", "move", "none"]),
    "home_reentry": st.booleans(),
    "win": st.sampled_from(["full", "occupied"]),
    "home_deadline": st.none() | st.integers(1, 40),
    "max_turns": st.none() | st.integers(1, 60),
    "repetition": st.sampled_from([3, None]),
}
PULCE_RULES = {
    "max_turns": st.none() | st.integers(1, 60),
    "repetition": st.sampled_from([3, None]),
    "first": st.sampled_from(["x", "o"]),
}

LINE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)
# Among them what has a meaning in a file: braces, the look of an info, tags, results, line comments.
COMMENTS = st.one_of(
    st.just(""),
    LINE,
    st.text('{}[];%+-WL/0123456789s., "\\*', max_size=12),
    st.sampled_from(
        [
            "+5",
            "+5/3 0.10s",
            "/30000",
            "+9999999999999999999, x",
            ", +5",
            ",",
            "W3",
            "0.5s",
            "/7",
            "}",
            "{",
            "a } b",
            "; x",
            "1-0",
            '[A "b"]',
        ]
    ),
)


@st.composite
def variants(draw: st.DrawFn) -> Variant:
    name = draw(st.sampled_from(["halma8", "halma10", "pulce", "5x5:3,2,1", "4x4:2,1", "3x3:1", "7x7:4,4,1"]))
    rules = draw(st.fixed_dictionaries({}, optional=PULCE_RULES if name == "pulce" else HALMA_RULES))
    return Variant.named(name, **rules)


@st.composite
def scores(draw: st.DrawFn) -> Score:
    kind: Any = draw(st.sampled_from(["points", "win", "loss"]))
    if kind == "points":
        return Score(kind, draw(st.integers(-(2**62), 2**62) | st.integers(-500, 500)))
    return Score(kind, draw(st.integers(0, 200)), draw(st.none() | st.integers(1, 3)))


@st.composite
def positions(draw: st.DrawFn, plies: int = 40) -> Position:
    """A game in which some moves were made; it may have begun anywhere that play leads to."""
    position = Position(draw(variants()))
    random = Random(draw(st.integers(0, 2**32)))
    forgotten = draw(st.integers(0, 10))
    for ply in range(forgotten + draw(st.integers(0, plies))):
        if ply == forgotten:
            position = position.copy(stack=False)
        if position.is_game_over():
            break
        position.push(random.choice(list(position.legal_moves)))
    return position


@st.composite
def records(draw: st.DrawFn, plies: int = 40) -> GameRecord:
    position = draw(positions(plies))
    tags = draw(
        st.dictionaries(st.from_regex(r"[A-Z][a-z]{1,8}[0-9]?", fullmatch=True).map("T{}".format), LINE, max_size=4)
    )
    told = [
        RecordedMove(
            move,
            draw(st.none() | scores()),
            draw(st.none() | st.integers(0, 10_000)),
            draw(st.none() | st.floats(0, 1e5)),
            draw(COMMENTS),
        )
        for move in position.move_stack
    ]
    record = GameRecord.from_position(position, tags, moves=told)
    if position.outcome() is None:
        result, reason = draw(
            st.sampled_from([("*", None), ("1-0", "resignation"), ("0-1", "time"), ("1/2-1/2", None)])
        )
        record = GameRecord.from_position(position, tags, moves=told, result=result, reason=reason)
    return GameRecord(
        *(record.tags, record.variant, record.start_fen, record.moves, record.result, record.reason, record.points),
        comment=draw(COMMENTS),
    )
