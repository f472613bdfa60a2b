"""One army alone: the fewest moves from where it stands into its goal camp, and whether that decides a game.

Owns the public functions. Invariant: a number of moves is exact, and a decided race is proven: no move of the loser can
change it. Guarded by tests/race/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from halma_fast._kernel.values import man_values
from halma_fast.checks import check_int, shorten
from halma_fast.errors import OptionError, RaceError
from halma_fast.move import PASS, Move
from halma_fast.position import Position
from halma_fast.racer import Racer, army_distance
from halma_fast.types import Score, Side
from halma_fast.variants import Variant

__all__ = ["Layer", "Race", "decided", "moves_needed", "played_out", "shortest_transfer", "shortest_way"]

DEFAULT_MEMORY_MB: Final = 1024
# No army needs more: the longest known way is far below, and the search ends by itself where there is none.
MAX_MOVES: Final = 1000


@dataclass(frozen=True, slots=True)
class Layer:
    """How far a search is: no way is shorter than `limit`; ways up to `moves` are looked at; `placements` in memory."""

    limit: int
    moves: int
    placements: int


@dataclass(frozen=True, slots=True)
class Race:
    """A decided game: `score` for the side to move, and the winner's `moves`, which nothing can spoil.

    The number of plies of the score is how long the winner needs at most: the loser may let it win sooner.
    """

    score: Score
    winner: Side
    moves: tuple[Move, ...]


def shortest_transfer(
    size: int,
    camp: Iterable[int] = (3, 2, 1),
    *,
    memory_mb: int = DEFAULT_MEMORY_MB,
    on_layer: Callable[[Layer], object] | None = None,
) -> tuple[Move, ...]:
    """Return a shortest way of one army from its camp to the opposite corner of an empty board, as moves of `x`.

    size: squares a side, 3..16; camp: squares a row from the corner outward. There is no goal lock.
    Other arguments and errors as in `shortest_way`; `VariantError` for a board or camp that is none.
    """
    variant = Variant.square(size, camp, goal_lock="none")
    way = _search(variant, Side.X, variant.start[Side.X], MAX_MOVES, memory_mb, on_layer)
    assert way is not None, "every army reaches the opposite corner"
    return way


def shortest_way(
    position: Position,
    side: Side | int | str,
    *,
    most: int = MAX_MOVES,
    memory_mb: int = DEFAULT_MEMORY_MB,
    on_layer: Callable[[Layer], object] | None = None,
) -> tuple[Move, ...] | None:
    """Return a shortest way of a side's men into its goal camp, all squares of it, the other side's men taken away.

    The side makes one move after the other under the rules of the position's variant, its goal lock among them.
    `None` if there is no way of at most `most` moves (0..1000).
    memory_mb: MB (2**20 bytes) for the placements that the search keeps, 1 or more.
    on_layer: called with a `Layer` after each.
    Ctrl-C raises `KeyboardInterrupt`. Raises `RaceError` if the memory is too small, the game is not Halma or men at
    home have to move first (`home_duty`), else `OptionError`.
    """
    if not isinstance(position, Position):
        raise OptionError(f"position: {shorten(position)}, expected a Position")
    which = Side.from_letter(side) if isinstance(side, str) else Side(check_int(side, "side", 0, 1, OptionError))
    if position.variant.family != "halma":
        raise RaceError(f"position: of {position.variant.name}, expected one of Halma")
    if position.variant.home_duty:
        raise RaceError("home_duty: True, expected False: the search does not know this rule")
    limit = check_int(most, "most", 0, MAX_MOVES, OptionError)
    return _search(position.variant, which, position.pieces(which), limit, memory_mb, on_layer)


def moves_needed(
    position: Position, side: Side | int | str, *, most: int = MAX_MOVES, memory_mb: int = DEFAULT_MEMORY_MB
) -> int | None:
    """Return the length of `shortest_way`, or `None` where it has none."""
    way = shortest_way(position, side, most=most, memory_mb=memory_mb)
    return None if way is None else len(way)


def decided(position: Position, *, most: int = 40, memory_mb: int = 64) -> Race | None:
    """Return the `Race` if the armies are so far apart that the game is won for one side whatever the other does.

    A proof, not a guess: the winner has a way into its goal in n moves along which it stays out of the loser's reach,
    and the loser, who meets nobody either until then, needs too many moves of its own. Where this does not show,
    `None`, though the game may well be decided. Under a cap on turns, a deadline or the home duty nothing is decided.

    Reach: a step ends beside the square where it began, and a hop beside the man it went over. So as long as the loser
    has hopped over its own men only, each of them stands, after j of its moves, within j king's moves of a square where
    one of them stood at first. Where the winner's men are more than j + 2 king's moves away from all of those, the
    loser cannot hop over one of them with its next move, and no square where they land, also amid a chain, is taken.
    """
    if not isinstance(position, Position):
        raise OptionError(f"position: {shorten(position)}, expected a Position")
    variant = position.variant
    if variant.family != "halma" or variant.home_duty:
        return None
    if variant.max_turns is not None or variant.home_deadline is not None:
        return None
    if position.is_game_over():
        return None
    for winner in (position.turn, position.turn.other):
        race = _won_race(position, winner, most, memory_mb)
        if race is not None:
            return race
    return None


def _won_race(position: Position, winner: Side, most: int, memory_mb: int) -> Race | None:
    loser = winner.other
    if not _are_apart(position, winner, position.pieces(winner), 0):
        return None  # the usual case, told without a search
    # The last move ends in the goal, which has to be out of reach by then.
    far = army_distance(position.variant.goal[winner], position.pieces(loser))
    most = min(most, far - 2 if position.turn is winner else far - 3)
    if most < 1:
        return None
    try:
        way = shortest_way(position, winner, most=most, memory_mb=memory_mb)
        if not way:
            return None
        # How many moves the loser makes before the winner's last.
        before = len(way) - 1 if position.turn is winner else len(way)
        men = frozenset(position.pieces(winner))
        placements = {men}
        for index, move in enumerate(way):
            made = index if position.turn is winner else index + 1
            after = men - {move.from_square} | {move.to_square}
            if not _are_apart(position, winner, men, made) or not _are_apart(position, winner, after, made):
                return None
            men = after
            placements.add(men)
        if position.variant.repetition is not None and _were_there(position, winner, placements):
            return None
        if moves_needed(position, loser, most=before, memory_mb=memory_mb) is not None:
            return None
    except RaceError:
        return None
    plies = 2 * len(way) - (1 if position.turn is winner else 0)
    return Race(Score("win" if position.turn is winner else "loss", plies), winner, way)


def played_out(position: Position, race: Race) -> tuple[Move, ...]:
    """Return a line in which the winner goes its way and the loser hurries home, to the end: moves of both sides."""
    line: list[Move] = []
    here = position.copy()
    values = man_values(position.variant, race.winner.other)
    ahead = iter(race.moves)
    while not here.is_game_over():
        if here.turn is race.winner:
            move = next(ahead)
        else:
            moves = list(here.legal_moves) or [PASS]
            move = max(moves, key=lambda move: values[move.to_square] - values[move.from_square] if move else 0)
        line.append(move)
        here.push(move)
    return tuple(line)


def _were_there(position: Position, side: Side, placements: set[frozenset[int]]) -> bool:
    """Whether the side's men have stood in one of these ways earlier in the game: a position might come back."""
    before = position.copy()
    while before.move_stack:
        before.pop()
        if frozenset(before.pieces(side)) in placements:
            return True
    return False


def _are_apart(position: Position, winner: Side, men: Iterable[int], moves: int) -> bool:
    """Whether the winner's men, wherever they are by then, are out of reach after `moves` moves of the loser."""
    men = list(men)
    if position.variant.goal[winner.other].intersection(men):
        return False  # under win="occupied" they would help to fill it
    return army_distance(men, position.pieces(winner.other)) > moves + 2


def _search(
    variant: Variant,
    side: Side,
    men: Iterable[int],
    most: int,
    memory_mb: int,
    on_layer: Callable[[Layer], object] | None,
) -> tuple[Move, ...] | None:
    memory = check_int(memory_mb, "memory_mb", 1, 1 << 24, OptionError)
    if on_layer is not None and not callable(on_layer):
        raise OptionError(f"on_layer: {shorten(on_layer)}, expected a callable or None")
    report = None if on_layer is None else lambda *numbers: on_layer(Layer(*numbers))
    racer = Racer(variant, side, men, memory)
    if racer.run(most, report) is None:
        return None
    return tuple(Move(origin, target) for origin, target in racer.moves())
