"""The options of the protocol server: what is offered, what they are set to, and the variant and engine that follow.

Invariant: a value that is refused changes nothing; rules are kept while a variant is chosen that does not have them.
Guarded by tests/ugi/.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, cast

from halma_fast.checks import memory_mb, shorten
from halma_fast.engine import MAX_LINES, MAX_THREADS, Engine
from halma_fast.errors import OptionError
from halma_fast.ugi.words import RULE_OPTIONS
from halma_fast.variants import DEFAULT_VARIANT, VARIANTS, Rules, Variant

__all__ = ["Settings"]

_INTEGER: Final = re.compile(r"[0-9]{1,18}", re.ASCII)
_MAX_TURNS: Final = 1_000_000_000
_MAX_OVERHEAD_MS: Final = 60_000

# The rules: the words of a rule's values, the default first; and those whose value is a number, 0 for none.
_CHOICES: Final[dict[str, dict[str, Any]]] = {
    "win": {"full": "full", "occupied": "occupied"},
    "goal_lock": {"hop": "hop", "move": "move", "none": "none"},
    "home_reentry": {"true": True, "false": False},
    "home_duty": {"false": False, "true": True},
    "repetition": {"3": 3, "none": None},
    "first": {"x": "x", "o": "o"},
}
_COUNTS: Final = ("home_deadline", "max_turns")
_RULE_OF: Final = {RULE_OPTIONS[rule]: rule for rule in (*_CHOICES, *_COUNTS)}


class Settings:
    """The present value of every option."""

    def __init__(self) -> None:
        self._spins = {"Hash": (16, 1, memory_mb()), "Threads": (1, 1, MAX_THREADS), "MultiPV": (1, 1, MAX_LINES)}
        self._spins["MoveOverhead"] = (20, 0, _MAX_OVERHEAD_MS)
        self._numbers = {name: default for name, (default, _, _) in self._spins.items()}
        self._name = DEFAULT_VARIANT
        self._rules: dict[str, Any] = {}
        self._spoil = False
        self._engine: Engine | None = None

    def lines(self) -> list[str]:
        """What `ugi` is answered with, an `option` line each."""
        spin = "option name {} type spin default {} min {} max {}".format
        combo = "option name {} type combo default {} {}".format
        shown = [spin(name, *self._spins[name]) for name in ("Hash", "Threads", "MultiPV")]
        shown.append(f"option name Variant type string default {DEFAULT_VARIANT}")
        for rule, words in _CHOICES.items():
            name = RULE_OPTIONS[rule]
            if True in words.values():
                shown.append(f"option name {name} type check default {next(iter(words))}")
            else:
                shown.append(combo(name, next(iter(words)), " ".join(f"var {word}" for word in words)))
        shown += [spin(RULE_OPTIONS[rule], 0, 0, _MAX_TURNS) for rule in _COUNTS]
        shown.append(spin("MoveOverhead", *self._spins["MoveOverhead"]))
        shown.append("option name Spoil type check default false")
        shown.append("option name OwnBook type check default false")
        return shown

    @property
    def multipv(self) -> int:
        """How many lines to rank."""
        return self._numbers["MultiPV"]

    @property
    def variant(self) -> Variant:
        """The variant with those of the rules that it has."""
        return _with_rules(Variant.named(self._name), self._rules)

    def engine(self) -> Engine:
        """The engine that the options describe, made when it is first needed."""
        if self._engine is None:
            self._engine = Engine(self._numbers["Hash"], self._numbers["Threads"])
        self._engine.move_overhead = self._numbers["MoveOverhead"] / 1000
        self._engine.spoil = self._spoil
        return self._engine

    def forget(self) -> None:
        """Clear the engine's table, if there is one."""
        if self._engine is not None:
            self._engine.clear()

    def set(self, name: str, value: str) -> tuple[bool, str | None]:
        """Set an option; returns whether the variant has changed, and a remark or `None`. Raises a `HalmaError`."""
        setters: dict[str, Callable[[str, str], str | None]] = dict.fromkeys(self._spins, self._set_number)
        setters |= dict.fromkeys(_RULE_OF, self._set_rule)
        setters |= {"Variant": self._set_variant, "Spoil": self._set_spoil, "OwnBook": self._set_book}
        known = next((known for known in setters if known.lower() == name.lower()), None)
        if known is None:
            raise OptionError(f"option: {shorten(name)}, expected one of {', '.join(setters)}")
        before = self.variant
        remark = setters[known](known, value)
        return self.variant != before, remark

    def _set_number(self, name: str, value: str) -> None:
        _, low, high = self._spins[name]
        number = _integer(name, value, low, high)
        numbers = self._numbers | {name: number}
        if number != self._numbers[name] and name in ("Hash", "Threads"):
            # Made at once: what there is no memory for is refused here, and not when a move is wanted.
            self._engine = Engine(numbers["Hash"], numbers["Threads"])
        self._numbers = numbers

    def _set_variant(self, name: str, value: str) -> str | None:
        lower = value.lower()
        variant = Variant.named(lower if lower in VARIANTS else value)
        _with_rules(variant, self._rules)
        self._name = variant.name
        return None

    def _set_rule(self, name: str, value: str) -> str | None:
        chosen: Any
        rule = _RULE_OF[name]
        if rule in _COUNTS:
            chosen = _integer(name, value, 0, _MAX_TURNS) or None
        else:
            words = _CHOICES[rule]
            if value.lower() not in words:
                raise OptionError(f"{name}: {shorten(value)}, expected {' or '.join(words)}")
            chosen = words[value.lower()]
        rules = self._rules | {rule: chosen}
        variant = Variant.named(self._name)
        _with_rules(variant, rules)
        self._rules = rules
        return None if rule in variant.rules else f"{name}: kept, but {variant.name} has no such rule"

    def _set_spoil(self, name: str, value: str) -> None:
        if value.lower() not in ("true", "false"):
            raise OptionError(f"{name}: {shorten(value)}, expected true or false")
        self._spoil = value.lower() == "true"

    def _set_book(self, name: str, value: str) -> None:
        if value.lower() != "false":
            raise OptionError(f"{name}: {shorten(value)}, expected false: there is no opening book")


def _with_rules(variant: Variant, rules: dict[str, Any]) -> Variant:
    return variant.with_rules(**cast(Rules, {rule: value for rule, value in rules.items() if rule in variant.rules}))


def _integer(name: str, value: str, low: int, high: int) -> int:
    if not _INTEGER.fullmatch(value) or not low <= int(value) <= high:
        raise OptionError(f"{name}: {shorten(value)}, expected an integer from {low} to {high}")
    return int(value)
