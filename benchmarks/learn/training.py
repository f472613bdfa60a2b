"""Fits the net of a board to what the linear evaluation says wrong of games that were played.

Owns the network in floats, its training and its rounding to the kernel's integers. Invariant: seeded, so equal
positions and arguments give an equal net; the losses told are those of the integers, on a tenth of the games, which the
training has not seen. Guarded by tests/learn/test_training.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from halma_fast import Variant
from halma_fast._kernel.nets import FRACTION, ONE, UNITS, NetWeights, checked, encoded
from halma_fast._kernel.values import man_values, terms
from halma_fast.selfplay import PlayedPositions

HALF = UNITS // 2  # the other half are mirror images
BATCH = 4096
LARGEST_WEIGHT = 1.9  # so that the sums of all men fit the kernel's words ...
LARGEST_OUTPUT = 120  # points of a whole unit, and so does the sum over all units
HELD_OUT = 10  # every tenth game

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Settings:
    """How to train.

    result_share: of the target, from the game's result; the rest is from the search's score. bound: of the correction,
    in tempos. rate: the greatest step of Adam (Kingma and Ba 2014), which falls to nothing by a cosine.
    """

    epochs: int = 20
    rate: float = 3e-3
    result_share: float = 0.5
    bound: float = 6.0
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Trained:
    """A net as its file has it, and the mean losses against the results of held-out games, without it and with it."""

    stored: dict[str, object]
    linear_loss: float
    loss: float
    positions: int
    games: int


class Board:
    """The variant's squares as x sees them, and the linear evaluation of many positions at once."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        size = variant.size
        self.index = np.zeros(256, np.int64)
        for rank in range(size):
            for file in range(size):
                self.index[16 * rank + file] = rank * size + file
        k = np.arange(size * size)
        image = (size - 1 - k % size) * size + size - 1 - k // size
        self.mirror = np.concatenate([image, size * size + image])

    def features(self, data: PlayedPositions) -> NDArray[np.uint8]:
        """One row a position: own men's squares, then the other side's, 1 where a man stands."""
        squares = self.variant.size**2
        found = np.zeros((len(data.score), 2 * squares), np.uint8)
        rows = np.arange(len(data.score))[:, None]
        found[rows, self.index[data.own]] = 1
        found[rows, squares + self.index[data.other]] = 1
        return found

    def linear(self, data: PlayedPositions) -> Floats:
        """The points of the linear evaluation, for the side to move."""
        beside = terms(self.variant)
        total = np.full(len(data.score), beside.tempo, np.float32)
        for side, men, sign in ((0, data.own, 1), (1, data.other, -1)):
            points = np.zeros(256, np.float32)
            for square, value in man_values(self.variant, side).items():
                points[square] = value
            over = np.zeros(len(men), np.int64)
            for k in range(4):
                room = sum((s & 1) + 2 * (s >> 4 & 1) == k for s in self.variant.goal[side])
                over += np.maximum(0, ((men & 1) + 2 * (men >> 4 & 1) == k).sum(axis=1) - room)
            total += sign * (points[men].sum(axis=1) - beside.class_step * over)
        return total


def mean_loss(logits: Floats, target: Floats) -> float:
    return float(np.mean(np.logaddexp(0, logits) - target * logits))


def scale_of(points: Floats, result: Floats) -> float:
    """By how many points a side must be ahead for odds of e to 1: the number with which the results are likeliest."""
    scales = np.arange(40.0, 800.0, 10.0)
    return float(min(scales, key=lambda scale: mean_loss(points / np.float32(scale), result)))


def train(variant: Variant, data: PlayedPositions, settings: Settings, tell: Callable[[str], None]) -> Trained:
    """Fit a net to positions; `tell` is called with a line for each epoch."""
    board = Board(variant)
    chance = np.random.default_rng(settings.seed)
    linear, inputs = board.linear(data), board.features(data)
    held = data.game % HELD_OUT == 0
    learned, unseen = np.flatnonzero(~held), np.flatnonzero(held)
    scale = scale_of(linear[learned], data.result[learned])
    share = np.float32(settings.result_share)
    target = share * data.result + (1 - share) / (1 + np.exp(-data.score.astype(np.float32) / np.float32(scale)))
    base = linear / np.float32(scale)
    bound = round(settings.bound * terms(variant).tempo)

    rows = chance.normal(0, 0.15, (inputs.shape[1], HALF)).astype(np.float32)
    bias = np.full(HALF, 0.3, np.float32)
    output = chance.normal(0, 0.1, HALF).astype(np.float32)
    constant = np.zeros(1, np.float32)
    parameters = [rows, bias, output, constant]
    means, squares = ([np.zeros_like(p) for p in parameters] for _ in range(2))
    step, steps = 0, settings.epochs * (-(-len(learned) // BATCH))
    for epoch in range(settings.epochs):
        order, losses = chance.permutation(learned), []
        for k in range(0, len(order), BATCH):
            batch = order[k : k + BATCH]
            men = inputs[batch].astype(np.float32)
            sums = men @ np.concatenate([rows, rows[board.mirror]], axis=1) + np.tile(bias, 2)
            clipped = np.clip(sums, 0, 1)
            both = np.tile(output, 2)
            logits = base[batch] + np.clip((clipped**2) @ both + constant, -bound / scale, bound / scale)
            losses.append(mean_loss(logits, target[batch]))
            wrong = ((1 / (1 + np.exp(-logits)) - target[batch]) / len(batch)).astype(np.float32)
            back = wrong[:, None] * both * 2 * clipped * (sums < 1)
            row_slope, out_slope = men.T @ back, (clipped**2).T @ wrong
            slopes = [
                row_slope[:, :HALF] + row_slope[board.mirror, HALF:],
                back.sum(axis=0).reshape(2, HALF).sum(axis=0),
                out_slope[:HALF] + out_slope[HALF:],
                wrong.sum(keepdims=True),
            ]
            step += 1
            rate = settings.rate * (0.5 + 0.5 * np.cos(np.pi * step / steps))
            for p, mean, square, slope in zip(parameters, means, squares, slopes, strict=True):
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope * slope - square)
                p -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            np.clip(rows, -LARGEST_WEIGHT, LARGEST_WEIGHT, out=rows)
            np.clip(output, -LARGEST_OUTPUT / scale, LARGEST_OUTPUT / scale, out=output)
        tell(f"epoch {epoch + 1} of {settings.epochs}: loss {np.mean(losses):.5f}")

    stored = rounded(rows, bias, output * scale, float(constant[0]) * scale, bound)
    net = checked(stored, variant)
    result = data.result[unseen]
    with_net = linear[unseen] + correction(net, inputs[unseen])
    return Trained(
        stored,
        mean_loss(linear[unseen] / np.float32(scale), result),
        mean_loss(with_net.astype(np.float32) / np.float32(scale), result),
        len(data.score),
        len(np.unique(data.game)),
    )


def rounded(rows: Floats, bias: Floats, output: Floats, constant: float, bound: int) -> dict[str, object]:
    """Return the net in the kernel's integers, as a file has it; `output` and `constant` in points."""

    def words(values: Floats) -> NDArray[np.int16]:
        return np.clip(np.rint(values), -32767, 32767).astype(np.int16)

    return {
        "bound": bound,
        "output_bias": round(constant * FRACTION * ONE * ONE),
        "output": encoded(words(output * FRACTION)),
        "bias": encoded(words(bias * ONE)),
        "rows": encoded(words(rows * ONE)),
    }


def correction(net: NetWeights, inputs: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The points of a net for many positions, as the kernel counts them."""
    points = []
    rows = net.rows.reshape(-1, UNITS).astype(np.float64)
    for k in range(0, len(inputs), 65536):
        sums = np.rint(inputs[k : k + 65536] @ rows).astype(np.int64) + net.bias
        total = (np.clip(sums, 0, ONE) ** 2) @ net.output.astype(np.int64) + net.output_bias
        points.append(np.clip(np.fix(total / (ONE * ONE * FRACTION)), -net.bound, net.bound))
    return np.concatenate(points).astype(np.int64)
