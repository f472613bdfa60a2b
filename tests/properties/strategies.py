"""What hypothesis draws: worlds (a board, a camp, rules) and seeds of games in them.

Boards and rules shrink; a game shrinks by its number of plies. Guarded by the tests beside it, which use nothing else.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import strategies as st

from properties.players import PLACEMENTS, STYLES, Placement, Style, choose, place
from properties.worlds import Twins, World, twins

HALMA_RULES: dict[str, st.SearchStrategy[Any]] = {
    "goal_lock": st.sampled_from(["hop", "move", "none"]),
    "home_reentry": st.booleans(),
    "home_duty": st.booleans(),
    "win": st.sampled_from(["full", "occupied"]),
    "home_deadline": st.none() | st.integers(1, 12),
    "max_turns": st.none() | st.integers(1, 60),
    "repetition": st.sampled_from([3, None]),
}
PULCE_RULES: dict[str, st.SearchStrategy[Any]] = {
    "max_turns": st.none() | st.integers(1, 60),
    "repetition": st.sampled_from([3, None]),
    "first": st.sampled_from(["x", "o"]),
}
# Rules that matter while a game goes on; without the others it goes on for longer.
MOVE_RULES = {name: HALMA_RULES[name] for name in ("goal_lock", "home_reentry", "home_duty", "win")}


@st.composite
def camps(draw: st.DrawFn, size: int) -> tuple[int, ...]:
    """Any staircase whose two camps do not overlap: rows that face each other share the width of the board."""
    camp: list[int] = []
    for row in range(draw(st.integers(1, size))):
        facing = size - 1 - row
        room = size - camp[facing] if facing < row else size // 2 if facing == row else size
        widest = min(room, camp[-1] if camp else size)
        if widest == 0:
            break
        camp.append(draw(st.integers(1, widest)))
    return tuple(camp)


@st.composite
def custom_worlds(draw: st.DrawFn, largest: int = 16, rules: dict[str, Any] = HALMA_RULES) -> World:
    size = draw(st.integers(3, largest))
    return World(size=size, camp=draw(camps(size)), rules=draw(st.fixed_dictionaries({}, optional=rules)))


@st.composite
def named_worlds(draw: st.DrawFn, rules: dict[str, Any] = HALMA_RULES) -> World:
    name = draw(st.sampled_from(["halma8", "halma10", "halma16", "csci561"]))
    return World(name, rules=draw(st.fixed_dictionaries({}, optional=rules)))


@st.composite
def pulce_worlds(draw: st.DrawFn) -> World:
    return World("pulce", rules=draw(st.fixed_dictionaries({}, optional=PULCE_RULES)))


def worlds(largest: int = 16) -> st.SearchStrategy[World]:
    """Any variant with any rules. Small boards come more often: their games get to the end."""
    small, large = custom_worlds(min(6, largest)), custom_worlds(largest)
    return st.one_of(small, pulce_worlds(), small, large, named_worlds(), pulce_worlds())


@dataclass(frozen=True)
class Script:
    """How a game is set up and played; the same script is the same game."""

    seed: int
    placement: Placement
    styles: tuple[Style, Style]
    plies: int

    def begin(self, world: World) -> Twins:
        return twins(world, place(world.reference(), self.placement, Random(self.seed)))

    def play(self, world: World) -> Iterator[Twins]:
        """The game before its first move and after each, until it is over or long enough."""
        both = self.begin(world)
        random = Random(self.seed + 1)
        yield both
        for ply in range(self.plies):
            moves = both.game.legal_moves()
            if not moves:
                return
            both.push(choose(both.game, moves, self.styles[ply % 2], random))
            yield both

    def end(self, world: World) -> Twins:
        """The game after its last move."""
        *_, last = self.play(world)
        return last


def scripts(plies: int = 30) -> st.SearchStrategy[Script]:
    return st.builds(
        Script,
        seed=st.integers(0, 2**32 - 1),
        placement=st.sampled_from(PLACEMENTS),
        styles=st.tuples(st.sampled_from(STYLES), st.sampled_from(STYLES)),
        plies=st.integers(0, plies),
    )
