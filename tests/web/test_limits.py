"""Bounds: buckets give no more than their rate, and settings out of range are refused."""

import pytest

from halma_fast import OptionError
from halma_fast.web.limits import Bucket, Buckets, Settings


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_a_bucket_gives_its_burst_and_then_its_rate():
    clock = Clock()
    bucket = Bucket(rate=2.0, burst=3.0, now=clock)
    assert [bucket.allows() for _ in range(5)] == [True] * 3 + [False] * 2
    clock.now = 1.0
    assert [bucket.allows() for _ in range(3)] == [True, True, False]
    clock.now = 100.0
    assert sum(bucket.allows() for _ in range(10)) == 3


def test_a_debt_is_told_in_seconds_and_paid_by_waiting():
    clock = Clock()
    bucket = Bucket(rate=2.0, burst=1.0, now=clock)
    assert [bucket.take() for _ in range(3)] == [0.0, 0.5, 1.0]
    clock.now = 1.0
    assert bucket.take() == 0.5


def test_each_client_has_a_bucket_and_only_so_many_are_remembered():
    buckets = Buckets(rate=1e-9, burst=1.0, most=2)
    assert [buckets.allows(client) for client in "aab"] == [True, False, True]
    assert not buckets.allows("a")
    assert buckets.allows("c")
    assert not buckets.allows("a")  # it asked later than "b", which has been forgotten
    assert buckets.allows("b")


def test_what_is_charged_has_to_be_paid_before_the_next_question():
    buckets = Buckets(rate=1e-9, burst=3.0)
    assert buckets.allows("a")
    buckets.charge("a", 10.0)
    assert not buckets.allows("a")
    assert buckets.allows("b")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("threads", 0),
        ("threads", 257),
        ("seconds", 0),
        ("seconds", float("nan")),
        ("share", -1),
        ("hash_mb", 0),
        ("hash_mb", 1 << 40),
        ("keep_days", 0),
        ("keep_days", float("nan")),
        ("keep_days", True),
        ("sockets", 0),
        ("a_client", 0),
        ("rooms", 0),
        ("quiet", 0),
    ],
)
def test_settings_out_of_range_are_refused(name, value):
    with pytest.raises(OptionError, match="expected"):
        Settings(**{"threads": 1, name: value})
