"""Every error is a `ValueError`, and the ones that are also something else say so."""

from __future__ import annotations

import pickle

import pytest

from halma_fast import errors

ALL = [getattr(errors, name) for name in errors.__all__]


@pytest.mark.parametrize("error", ALL)
def test_every_error_is_a_halma_error_and_a_value_error(error: type[errors.HalmaError]) -> None:
    assert issubclass(error, errors.HalmaError)
    assert issubclass(error, ValueError)


@pytest.mark.parametrize("error", ALL)
def test_errors_survive_pickling_with_their_message(error: type[errors.HalmaError]) -> None:
    copy = pickle.loads(pickle.dumps(error("depth: 0, expected more")))
    assert type(copy) is error
    assert str(copy) == "depth: 0, expected more"


def test_errors_that_belong_to_two_families_can_be_caught_as_either() -> None:
    assert issubclass(errors.EmptyStackError, IndexError)
    assert issubclass(errors.EngineBusyError, RuntimeError)
    assert issubclass(errors.GameOverError, errors.IllegalMoveError)
    assert issubclass(errors.IllegalMoveError, errors.MoveError)
