"""Games to be shown and sent: seeded, random, in every variant."""

from __future__ import annotations

from random import Random

from halma_fast.web.games import Match
from halma_fast.web.messages import RulesGiven, Setup

SETUPS = {
    "halma8": Setup("halma8", RulesGiven(win="occupied")),
    "halma16": Setup("halma16"),
    "csci561": Setup("csci561"),
    "goal_lock=move": Setup("halma8", RulesGiven(goal_lock="move", home_reentry=False)),
    "pulce": Setup("pulce", RulesGiven(max_turns=30)),
    "6x6": Setup("6x6:3,2,1", RulesGiven(max_turns=40, repetition=None)),
    "fen": Setup("halma8", fen="oooo4/ooo5/o7/o2o4/6xx/2xx2xx/4xx1x/4x3 o 4"),
}


def random_match(setup: Setup, plies: int, seed: int) -> Match:
    """Return a match after so many random moves, or less if it is over."""
    match, numbers = Match(setup), Random(seed)
    for _ in range(plies):
        if match.current.outcome is not None and not match.next_round():
            break
        match.current.play([numbers.choice(sorted(match.current.position.legal_moves)).text])
    return match


def finish(match: Match, seed: int) -> Match:
    """Play a match on to its end with random moves; its rules must end it."""
    numbers = Random(seed)
    while not match.over:
        match.next_round()
        match.current.play([numbers.choice(sorted(match.current.position.legal_moves)).text])
    return match
