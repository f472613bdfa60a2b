"""The statistics of matches: against published results of test frameworks, and against simulation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from halma_fast.elo import Estimate, Pentanomial, Sprt, elo_of_score, score_of_elo
from halma_fast.errors import MatchError

# Counts of pairs with 0, 1/2, ... 2 points, and what was printed for them. Sources: results that fastchess and
# fishtest printed, in Disservin/fastchess #807, brunocodutra/cinder #727, lynx-chess/Lynx #1899,
# official-stockfish/Stockfish #6095 and #6255, and the values that fastchess's own tests expect
# (app/tests/elo_test.cpp).
PUBLISHED_ELO = [
    ((30, 6, 18, 0, 6), -168.40, 73.37, -170.08, 62.16, 0.00),
    ((50, 287, 610, 387, 73), 18.04, 8.23, 28.19, 12.84, 100.00),
    ((235, 1384, 2521, 1341, 239), -1.06, 4.05, -1.67, 6.37, 30.33),
    ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28, 100.00),
    ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96, 5.05),
    ((168, 7012, 15622, 7035, 163), 0.08, 1.4, 0.15, 2.8, 54.2),
    ((1, 137, 4659, 203, 0), 2.22, 1.3, 12.00, 6.8, 100.0),
]

# Log-likelihood ratios: Stockfish #2493 and #3098, lynx-chess/Lynx #1899 (logistic bounds); official-stockfish/fishtest
# #1737 and Disservin/fastchess #783, #882 (normalised bounds); fastchess's app/tests/sprt_test.cpp (both).
PUBLISHED_LLR = [
    ((424, 2948, 5832, 3045, 460), -1, 3, "logistic", 2.94, 0.005),
    ((491, 7345, 29693, 7670, 465), -0.25, 1.25, "logistic", 2.96, 0.005),
    ((235, 1384, 2521, 1341, 239), -5, 0, "logistic", 1.69, 0.005),
    ((223, 9863, 21279, 10037, 246), 0.5, 2.5, "logistic", -3.07, 0.005),
    ((871, 26175, 55983, 26678, 821), 0, 2, "logistic", -4.98, 0.005),
    ((93, 18711, 58877, 18739, 100), -1.75, 0.25, "normalized", 2.9420974720708513, 1e-9),
    ((379, 10170, 21828, 10640, 343), 0, 2, "normalized", 2.94598, 6e-4),
    ((365, 16618, 36229, 16974, 390), 0, 2, "normalized", 2.25, 0.005),
    ((50, 287, 610, 387, 73), 0, 5, "normalized", 2.97, 0.005),
    ((77, 1, 0, 0, 0), -1000, -500, "normalized", -2.95, 0.005),
    ((72, 10, 0, 0, 0), -1000, -500, "normalized", -2.97, 0.005),
]


@pytest.mark.parametrize(("counts", "elo", "error", "normalized", "normalized_error", "los"), PUBLISHED_ELO)
def test_elo_is_as_published(
    counts: Any, elo: float, error: float, normalized: float, normalized_error: float, los: float
) -> None:
    results = Pentanomial(counts)
    assert results.elo().value == pytest.approx(elo, abs=0.006)
    # Some were printed with one decimal; half a unit of that is allowed for.
    assert results.elo().error == pytest.approx(error, abs=0.0501)
    found = results.normalized_elo()
    assert found is not None
    assert found.value == pytest.approx(normalized, abs=0.006)
    assert found.error == pytest.approx(normalized_error, abs=0.0501)
    assert 100 * results.superiority() == pytest.approx(los, abs=0.051)


@pytest.mark.parametrize(("counts", "elo0", "elo1", "model", "llr", "within"), PUBLISHED_LLR)
def test_the_likelihood_ratio_is_as_published(
    counts: Any, elo0: float, elo1: float, model: Any, llr: float, within: float
) -> None:
    assert Sprt(elo0, elo1, model=model).llr(Pentanomial(counts)) == pytest.approx(llr, abs=within)


def test_the_bounds_are_the_usual_ones() -> None:
    test = Sprt(0, 5)
    assert (round(test.lower, 2), round(test.upper, 2)) == (-2.94, 2.94)
    assert (round(Sprt(0, 5, 0.05, 0.1).lower, 2), round(Sprt(0, 5, 0.05, 0.1).upper, 2)) == (-2.25, 2.89)


def test_elo_and_score_are_inverse() -> None:
    assert elo_of_score(0.5) == 0.0
    assert score_of_elo(400 * math.log10(3)) == pytest.approx(0.75)
    for elo in (-3000.0, -800.0, -1.5, 0.0, 10.0, 400.0, 3000.0):
        assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)
    assert (elo_of_score(0.0), elo_of_score(1.0)) == (-math.inf, math.inf)


def outcome_of(value: int) -> float:
    return value / 4


def test_swapping_the_players_turns_everything_round() -> None:
    random = Random(1)
    for _ in range(50):
        counts = [random.randrange(30) for _ in range(5)]
        there, back = Pentanomial(tuple(counts)), Pentanomial(tuple(counts[::-1]))  # type: ignore[arg-type]
        assert there.score == pytest.approx(1 - back.score)
        assert there.superiority() == pytest.approx(1 - back.superiority())
        assert there.elo().low == pytest.approx(-back.elo().high)
        for model in ("logistic", "normalized"):
            forward, backward = Sprt(-2, 7, model=model), Sprt(-7, 2, model=model)  # type: ignore[arg-type]
            assert forward.llr(there) == pytest.approx(-backward.llr(back), abs=1e-9)


def likeliest_by_search(counts: Sequence[int], score: float) -> float:
    """The largest log-likelihood of chances with this mean score, by the dual function on a fine grid: no calculus."""
    total = sum(counts)
    best = math.inf
    low, high = -1 / (1 - score), 1 / score
    for step in range(1, 20000):
        x = low + (high - low) * step / 20000
        terms = [1 + x * (outcome_of(value) - score) for value in range(5)]
        if min(terms) > 0:
            value = sum(n * (math.log(n / total) - math.log(t)) for n, t in zip(counts, terms, strict=True))
            best = min(best, value) if math.isfinite(best) else value
    return best


def test_the_likelihood_ratio_is_the_one_of_the_likeliest_chances() -> None:
    counts = (3, 10, 20, 15, 4)
    test = Sprt(-30, 60)
    # The dual problem: the log-likelihood under the constraint is the least, over the multiplier, of this function.
    expected = likeliest_by_search(counts, score_of_elo(60)) - likeliest_by_search(counts, score_of_elo(-30))
    assert test.llr(Pentanomial(counts)) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("counts", [(7, 0, 0, 0, 0), (0, 0, 9, 0, 0), (0, 0, 0, 0, 30), (0, 0, 0, 1, 0)])
def test_pairs_that_all_ended_alike_prove_only_so_much(counts: Any) -> None:
    results = Pentanomial(counts)
    interval = results.score_interval()
    assert interval.low <= results.score <= interval.high
    assert interval.high - interval.low > 0.05
    assert results.normalized_elo() is None
    assert 0 < results.superiority() < 1
    assert math.isfinite(Sprt(0, 10).llr(results))
    # As many pairs that end otherwise at the end of the interval go unseen once in forty.
    if results.score == 1.0:
        assert interval.low**results.pairs == pytest.approx(0.025)


def test_without_games_nothing_is_known() -> None:
    nothing = Pentanomial()
    assert (nothing.score, nothing.superiority(), Sprt(0, 5).llr(nothing)) == (0.5, 0.5, 0.0)
    assert (nothing.elo().low, nothing.elo().high) == (-math.inf, math.inf)
    assert Sprt(0, 5).decision(nothing) is None


def chances_of(elo: float) -> list[float]:
    """Chances of the five outcomes of a pair with this expected score, draws and uneven pairs included."""
    even = [0.1, 0.22, 0.36, 0.22, 0.1]
    score = score_of_elo(elo)
    low, high = -20.0, 20.0
    for _ in range(100):
        tilt = (low + high) / 2
        weights = [share * math.exp(tilt * outcome_of(value)) for value, share in enumerate(even)]
        mean = sum(weight * outcome_of(value) for value, weight in enumerate(weights)) / sum(weights)
        low, high = (tilt, high) if mean < score else (low, tilt)
    return [weight / sum(weights) for weight in weights]


def drawn(chances: Sequence[float], pairs: int, random: Random) -> Pentanomial:
    counts = [0] * 5
    for value in random.choices(range(5), chances, k=pairs):
        counts[value] += 1
    return Pentanomial(tuple(counts))  # type: ignore[arg-type]


@pytest.mark.parametrize("elo", [0.0, 40.0, 150.0])
def test_the_interval_contains_the_true_difference_as_often_as_it_says(elo: float) -> None:
    random = Random(f"coverage {elo}")
    chances = chances_of(elo)
    intervals = [drawn(chances, 150, random).elo() for _ in range(1000)]
    inside = sum(interval.low <= elo <= interval.high for interval in intervals)
    # 950 are expected, with a standard deviation of 7.
    assert 925 <= inside <= 972
    assert sum(interval.value for interval in intervals) / len(intervals) == pytest.approx(elo, abs=3.0)


def test_superiority_is_as_frequent_as_it_says() -> None:
    random = Random("superiority")
    chances = chances_of(0.0)
    values = [drawn(chances, 100, random).superiority() for _ in range(1000)]
    # Between equal players it is evenly spread.
    for bound in (0.05, 0.25, 0.5, 0.75, 0.95):
        assert sum(value <= bound for value in values) / 1000 == pytest.approx(bound, abs=0.045)


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, "H1"), (60.0, "H0")])
def test_the_test_errs_as_seldom_as_it_promises(elo: float, wrong: str) -> None:
    random = Random(f"sprt {elo}")
    test = Sprt(0.0, 60.0)
    chances = chances_of(elo)
    errors = runs = 0
    for _ in range(200):
        counts = [0] * 5
        decision = None
        while decision is None:
            for value in random.choices(
                range(5), chances, k=4
            ):  # a look every four pairs: the bounds hold a little better
                counts[value] += 1
            decision = test.decision(Pentanomial(tuple(counts)))  # type: ignore[arg-type]
        runs += 1
        errors += decision == wrong
    # At most 5 % are promised: 10, with a standard deviation of 3.
    assert errors <= 18
    assert errors / runs > 0.003


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Pentanomial((1, 2, 3)), "pentanomial counts: (1, 2, 3), expected five integers"),  # type: ignore[arg-type]
        (lambda: Pentanomial("12345"), "pentanomial counts: '12345'"),  # type: ignore[arg-type]
        (lambda: Pentanomial((1, 2, 3, 4, -1)), "pentanomial count: -1"),
        (lambda: Pentanomial((1, 2, 3, 4, 0.5)), "pentanomial count: 0.5"),  # type: ignore[arg-type]
        (lambda: Sprt(5, 5), "elo1: 5, expected more than elo0, 5"),
        (lambda: Sprt(math.nan, 5), "elo0: nan"),
        (lambda: Sprt(0, 1e9), "elo1: 1000000000.0"),
        (lambda: Sprt(0, True), "elo1: True"),
        (lambda: Sprt(0, 5, 0.7), "alpha: 0.7"),
        (lambda: Sprt(0, 5, 0.05, 0), "beta: 0"),
        (lambda: Sprt(0, 5, model="bayes"), "model: 'bayes'"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_setting_is_refused(make: Any, words: str) -> None:
    with pytest.raises(MatchError) as caught:
        make()
    assert str(caught.value).startswith(words)


def test_an_estimate_is_printed_with_its_error() -> None:
    assert str(Estimate(12.34, 2.0, 22.0)) == "+12.3 ± 10.0"
