"""The statistics of a match: Elo difference, its error, likelihood of superiority, sequential probability ratio test.

Owns the formulas and no games. Invariant: everything is computed from pairs of games with sides swapped (the
pentanomial model), since the two games of a pair are not independent. Guarded by tests/match/test_elo.py.

Sources: the methods of fishtest by M. Van den Bergh, https://github.com/official-stockfish/fishtest/wiki and, for the
likelihood ratio, http://hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf; X. Li, J. Liu, Z. Ying, "Generalized
sequential probability ratio test for separate families of hypotheses", Sequential Analysis 33 (2014).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, Literal

from halma_fast.checks import check_int, shorten
from halma_fast.errors import MatchError

__all__ = ["Estimate", "Model", "Pentanomial", "Sprt", "elo_of_score", "score_of_elo"]

Model = Literal["logistic", "normalized"]

# Points of a pair's first player, as the mean of its two games: both lost, ..., both won.
OUTCOMES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_CONFIDENCE: Final = 0.95
_SIGMAS: Final = NormalDist().inv_cdf((1 + _CONFIDENCE) / 2)
_ELO_SCALE: Final = 400.0 / math.log(10.0)
# An outcome that was not seen gets this count in likelihoods, which need a chance above 0 for each; the value is
# fishtest's.
_UNSEEN: Final = 1e-3
_MOST_PAIRS: Final = 2**53


def elo_of_score(score: float) -> float:
    """Return the logistic Elo difference at which this share of the points is expected; infinite for 0 and 1."""
    if score <= 0.0:
        return -math.inf
    return math.inf if score >= 1.0 else -_ELO_SCALE * math.log(1.0 / score - 1.0)


def score_of_elo(elo: float) -> float:
    """Return the share of the points, 0 to 1, that is expected at a logistic Elo difference."""
    return 0.5 * (1.0 + math.tanh(elo / (2.0 * _ELO_SCALE)))


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with the ends of its 95 % confidence interval, any of which may be infinite."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2.0

    def __str__(self) -> str:
        return f"{self.value:+.1f} ± {self.error:.1f}"


@dataclass(frozen=True, slots=True)
class Pentanomial:
    """How many pairs of games gave the first player 0, 1/2, 1, 1 1/2 and 2 points: the statistics of a match.

    counts: five integers, 0 or more. Raises `MatchError` for anything else.
    """

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    def __post_init__(self) -> None:
        counts = self.counts
        if isinstance(counts, str | bytes) or not isinstance(counts, Sequence) or len(counts) != len(OUTCOMES):
            raise MatchError(f"pentanomial counts: {shorten(counts)}, expected five integers")
        checked = tuple(check_int(count, "pentanomial count", 0, _MOST_PAIRS, MatchError) for count in counts)
        object.__setattr__(self, "counts", checked)

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The first player's share of the points, 0 to 1; 1/2 without any pair."""
        return self._moments()[0]

    @property
    def deviation(self) -> float:
        """The standard deviation of a pair's mean score."""
        return math.sqrt(self._moments()[1])

    def _moments(self) -> tuple[float, float]:
        pairs = self.pairs
        if not pairs:
            return 0.5, 0.0
        mean = sum(count * outcome for count, outcome in zip(self.counts, OUTCOMES, strict=True)) / pairs
        spread = sum(count * (outcome - mean) ** 2 for count, outcome in zip(self.counts, OUTCOMES, strict=True))
        return mean, spread / pairs

    def score_interval(self) -> Estimate:
        """The score with its interval: normal approximation with the variance of the pairs seen.

        If all pairs ended alike their variance is 0 and says nothing. Then the interval reaches as far as a share of
        pairs ending otherwise, at the worst or at the best, that would go unseen so often with a chance of 2.5 %.
        """
        mean, variance = self._moments()
        pairs = self.pairs
        if not pairs:
            return Estimate(0.5, 0.0, 1.0)
        if variance > 0.0:
            error = _SIGMAS * math.sqrt(variance / pairs)
            return Estimate(mean, max(mean - error, 0.0), min(mean + error, 1.0))
        unseen = 1.0 - ((1.0 - _CONFIDENCE) / 2.0) ** (1.0 / pairs)
        return Estimate(mean, mean * (1.0 - unseen), mean + (1.0 - mean) * unseen)

    def elo(self) -> Estimate:
        """The logistic Elo difference of the first player to the second, with its interval."""
        score = self.score_interval()
        return Estimate(elo_of_score(score.value), elo_of_score(score.low), elo_of_score(score.high))

    def normalized_elo(self) -> Estimate | None:
        """The normalised Elo difference: the distance of the score from 1/2 in standard deviations of a game, scaled.

        It says how many games it takes to tell the players apart, whatever the share of draws. `None` without variance.
        """
        mean, variance = self._moments()
        if variance <= 0.0:
            return None
        scale = 2.0 * _ELO_SCALE
        value = scale * (mean - 0.5) / math.sqrt(2.0 * variance)
        error = scale * _SIGMAS / math.sqrt(2.0 * self.pairs)
        return Estimate(value, value - error, value + error)

    def superiority(self) -> float:
        """The likelihood that the first player is the stronger one (LOS), 0 to 1.

        By the normal approximation; if all pairs ended alike, by Laplace's rule: the chance that such pairs are more
        than half of those to come, when every share was as likely before.
        """
        mean, variance = self._moments()
        if variance > 0.0:
            return NormalDist().cdf((mean - 0.5) / math.sqrt(variance / self.pairs))
        if mean == 0.5:
            return 0.5
        by_chance: float = 0.5 ** min(self.pairs + 1, 1000)
        return 1.0 - by_chance if mean > 0.5 else by_chance


@dataclass(frozen=True, slots=True)
class Sprt:
    """A generalised sequential probability ratio test of "the difference is `elo1`" against "it is `elo0`".

    alpha, beta: the chances, above 0 and below 1/2, to accept `elo1` when `elo0` holds, and the other way round. model:
    whether the bounds are logistic or normalised Elo. Raises `MatchError` unless -3000 <= elo0 < elo1 <= 3000.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"

    def __post_init__(self) -> None:
        for field in ("elo0", "elo1"):
            _check_real(getattr(self, field), field, -3000.0, 3000.0)
        for field in ("alpha", "beta"):
            _check_real(getattr(self, field), field, 1e-12, 0.499999)
        if not self.elo0 < self.elo1:
            raise MatchError(f"elo1: {shorten(self.elo1)}, expected more than elo0, {shorten(self.elo0)}")
        if self.model not in ("logistic", "normalized"):
            raise MatchError(f"model: {shorten(self.model)}, expected 'logistic' or 'normalized'")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at or below which `elo0` is accepted (Wald's bound)."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at or above which `elo1` is accepted (Wald's bound)."""
        return math.log((1.0 - self.beta) / self.alpha)

    def llr(self, results: Pentanomial) -> float:
        """The log-likelihood ratio of the two hypotheses, each with its most likely chances of the five outcomes.

        0.0 without any pair. Outcomes not seen count 1/1000.
        """
        if not results.pairs:
            return 0.0
        counts = [count or _UNSEEN for count in results.counts]
        total = sum(counts)
        seen = [count / total for count in counts]
        if self.model == "logistic":
            worse, better = (_likeliest_with_mean(seen, score_of_elo(elo)) for elo in (self.elo0, self.elo1))
        else:
            # A standard deviation of a pair's mean score is that of a game by the square root of 2.
            scale = math.sqrt(2.0) / (2.0 * _ELO_SCALE)
            worse, better = (_likeliest_with_ratio(seen, elo * scale) for elo in (self.elo0, self.elo1))
        return total * sum(share * math.log(b / w) for share, b, w in zip(seen, better, worse, strict=True))

    def decision(self, results: Pentanomial) -> Literal["H0", "H1"] | None:
        """Which hypothesis is accepted: "H0" (`elo0`), "H1" (`elo1`), or `None` while the test goes on."""
        llr = self.llr(results)
        if llr >= self.upper:
            return "H1"
        return "H0" if llr <= self.lower else None


def _check_real(value: object, field: str, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise MatchError(f"{field}: {shorten(value)}, expected a number from {low:g} to {high:g}")


def _likeliest_with_mean(seen: Sequence[float], mean: float) -> list[float]:
    """The most likely chances of the outcomes, given their shares seen, with this mean score."""
    return _tilt(seen, [outcome - mean for outcome in OUTCOMES])


def _likeliest_with_ratio(seen: Sequence[float], ratio: float) -> list[float]:
    """The same with this ratio of (mean - 1/2) to the standard deviation: a mean constraint made anew at each turn.

    The constraint is linearised at the chances found so far, until they stay as they are.
    """
    chances = list(seen)
    for _ in range(100):
        mean = sum(p * a for p, a in zip(chances, OUTCOMES, strict=True))
        deviation = math.sqrt(sum(p * (a - mean) ** 2 for p, a in zip(chances, OUTCOMES, strict=True)))
        tangent = [a - 0.5 - ratio * deviation * (1.0 + ((mean - a) / deviation) ** 2) / 2.0 for a in OUTCOMES]
        found = _tilt(seen, tangent)
        change = max(abs(new - old) for new, old in zip(found, chances, strict=True))
        chances = found
        if change < 1e-12:
            break
    return chances


def _tilt(seen: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The most likely chances p with sum(p * weights) == 0: p = seen / (1 + x * weights), by Lagrange's multiplier x.

    x is the root of a decreasing function between the poles next to 0. The weights must have both signs; if they have
    not, no chances above 0 fulfil the constraint, and those seen are the nearest there are.
    """
    most, least = max(weights), min(weights)
    if not least < 0.0 < most:
        return list(seen)
    low, high = -1.0 / most, -1.0 / least
    x = 0.0
    for _ in range(200):
        value = slope = 0.0
        for share, weight in zip(seen, weights, strict=True):
            part = weight / (1.0 + x * weight)
            value += share * part
            slope -= share * part * part
        if value > 0.0:
            low = x
        else:
            high = x
        following = x - value / slope
        if not low < following < high:
            following = (low + high) / 2.0
        if abs(following - x) <= 1e-15 * (1.0 + abs(x)):
            break
        x = following
    return [share / (1.0 + x * weight) for share, weight in zip(seen, weights, strict=True)]
