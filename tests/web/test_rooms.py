"""Rooms: who may do what when, and a room that is made again from its events is the same."""

from random import Random

import pytest

from halma_fast import Side
from halma_fast.web.faults import Fault
from halma_fast.web.messages import RulesGiven, Setup
from halma_fast.web.rooms import SEATS, Room

SMALL = Setup("4x4:2,1", RulesGiven(win="occupied", max_turns=20))
PULCE = Setup("pulce", RulesGiven(max_turns=6))


def code(call, *arguments):
    with pytest.raises(Fault) as caught:
        call(*arguments)
    return caught.value.code


def do(room, event):
    assert event is not None
    room.apply(event)
    room.next_round()
    return event


def legal(room):
    return sorted(move.text for move in room.match.current.position.legal_moves)


def play_on(room, numbers):
    """Make a move of the side to move and return its event."""
    seat = room.seat_of(room.match.current.position.turn)
    ply = len(room.match.current.made)
    return do(room, room.check_move(seat, room.game, ply, numbers.choice(legal(room))))


def test_only_the_side_to_move_moves():
    room = Room(SMALL)
    move = legal(room)[0]
    assert code(room.check_move, "b", 0, 0, move) == "turn"
    assert code(room.check_move, None, 0, 0, move) == "role"
    assert code(room.check_move, "a", 0, 1, move) == "stale"
    assert code(room.check_move, "a", 1, 0, move) == "stale"
    assert code(room.check_move, "a", 0, 0, "a1-a2") == "illegal"
    assert code(room.check_move, "a", 0, 0, "hello") == "move"
    assert (room.version, room.match.current.made) == (0, [])
    do(room, room.check_move("a", 0, 0, move))
    assert code(room.check_move, "a", 0, 1, move) == "turn"


def test_a_move_that_comes_again_is_known_and_another_in_its_place_is_not():
    room, numbers = Room(SMALL), Random(1)
    first, other = legal(room)[:2]
    do(room, room.check_move("a", 0, 0, first))
    assert room.check_move("a", 0, 0, first) is None
    assert code(room.check_move, "a", 0, 0, other) == "stale"
    assert code(room.check_move, "b", 0, 0, first) == "stale"
    while not room.over:
        play_on(room, numbers)
    assert room.check_move("a", 0, 0, first) is None
    for seat in SEATS:
        do(room, room.check_rematch(seat, 0))
    assert room.game == 1
    assert room.check_move("a", 0, 0, first) is None  # of the game before


def test_resigning_ends_the_game_for_whoever_does_it():
    room = Room(SMALL)
    assert code(room.check_resign, None, 0) == "role"
    assert code(room.check_resign, "a", 3) == "stale"
    do(room, room.check_resign("b", 0))
    assert room.ending() == {"winner": "x", "reason": "resignation", "points": None}
    assert code(room.check_resign, "a", 0) == "over"
    assert code(room.check_draw, "a", 0) == "over"
    assert code(room.check_move, "a", 0, 0, legal(room)[0]) == "over"
    assert room.score == {"a": 1.0, "b": 0.0}
    assert room.state(legal=True)["view"]["legal"] == []


def test_a_draw_needs_both_and_an_offer_ends_with_the_next_move():
    room, numbers = Room(SMALL), Random(1)
    do(room, room.check_draw("b", 0))
    assert room.check_draw("b", 0) is None
    assert room.state(legal=False)["offers"]["draw"] == ["o"]
    play_on(room, numbers)
    assert room.state(legal=False)["offers"]["draw"] == []
    do(room, room.check_draw("a", 0))
    assert not room.over
    do(room, room.check_draw("b", 0))
    assert room.ending() == {"winner": None, "reason": "draw agreed", "points": None}
    assert room.score == {"a": 0.5, "b": 0.5}


def test_a_rematch_needs_both_and_swaps_the_sides():
    room = Room(SMALL)
    assert code(room.check_rematch, "a", 0) == "stale"
    do(room, room.check_resign("a", 0))
    do(room, room.check_rematch("a", 0))
    assert room.check_rematch("a", 0) is None
    assert room.over
    do(room, room.check_rematch("b", 0))
    assert (room.game, room.over) == (1, False)
    assert [room.side_of(seat) for seat in SEATS] == [Side.O, Side.X]
    assert [room.seat_of(side) for side in Side] == ["b", "a"]
    assert code(room.check_move, "a", 1, 0, legal(room)[0]) == "turn"
    do(room, room.check_move("b", 1, 0, legal(room)[0]))
    do(room, room.check_resign("b", 1))
    assert room.score == {"a": 1.0, "b": 1.0}


def test_three_rounds_of_pulce_are_one_match():
    room, numbers = Room(PULCE), Random(4)
    firsts = []
    while not room.over:
        if not room.match.current.made:
            firsts.append(room.match.current.position.turn)
            assert room.game == len(firsts) - 1
        play_on(room, numbers)
    assert firsts == [Side.X, Side.O, Side.X]
    assert room.ending() == {"winner": None, "reason": "max turns", "points": (0, 0)}
    assert room.score == {"a": 0.5, "b": 0.5}


@pytest.mark.parametrize("setup", [SMALL, PULCE], ids=["halma", "pulce"])
@pytest.mark.parametrize("seed", range(4))
def test_a_room_made_from_the_same_events_is_the_same(setup, seed):
    room, numbers, events = Room(setup), Random(seed), []
    for _ in range(60):
        seat, game = numbers.choice([*SEATS, *SEATS, None]), numbers.choice([room.game, room.game, room.game, 0])
        checks = [room.check_draw, room.check_rematch, room.check_rematch, room.check_resign]
        before = room.state(legal=True)
        try:
            if numbers.random() < 0.85 and not room.over:
                ply = max(0, len(room.match.current.made) - numbers.choice([0, 0, 0, 1]))
                event = room.check_move(seat, game, ply, numbers.choice([*legal(room), "a1-a2"]))
            else:
                event = numbers.choice(checks)(seat, game)
        except Fault:
            event = None
        assert room.state(legal=True) == before  # a check changes nothing
        if event is not None:
            events.append(do(room, event))
            assert room.version == len(events)
    again = Room(setup, events)
    again.next_round()
    assert again.state(legal=True) == room.state(legal=True)
    assert sum(event.kind == "move" for event in events) > 2
