"""The table changes how long a count takes and nothing else: every size, filled to overflowing, alone and shared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from properties.effort import effort
from properties.strategies import Script, scripts, worlds
from properties.worlds import World

from halma_fast import OptionError, Position, divide, perft

KNOWN = [
    ("halma16", 4, 4562496),
    ("halma10", 4, 2067884),
    ("halma8", 5, 28572441),
    ("pulce", 4, 2437914),
    ("4x4:2,1", 6, 2635905),
]


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("hash_mb", [1, 2, 17])
@pytest.mark.parametrize(("variant", "depth", "leaves"), KNOWN)
def test_any_size_of_table_gives_the_published_number(variant, depth, leaves, hash_mb, threads):
    assert perft(Position(variant), depth, hash_mb=hash_mb, threads=threads) == leaves


@effort(150)
@given(worlds(), scripts(12))
def test_counting_with_a_table_is_counting_without(world: World, script: Script) -> None:
    position = script.end(world).position
    for depth in (2, 3, 4):
        if perft(position, 1) ** depth > 300_000:  # about the number of leaves
            break
        assert perft(position, depth, hash_mb=1) == perft(position, depth), (position.fen(), depth)


@effort(40)
@given(worlds(8), scripts(12), st.integers(2, 3))
def test_divide_with_a_table_and_threads_is_divide_without(world: World, script: Script, threads: int) -> None:
    position = script.end(world).position
    if perft(position, 1) ** 3 > 300_000:
        return
    plain = divide(position, 3)
    assert divide(position, 3, hash_mb=1, threads=threads) == plain
    assert divide(position, 3, threads=threads) == plain


def test_a_board_that_is_not_its_own_mirror_image_is_not_folded():
    # The camp 3 1 has no symmetry; folding it would merge positions that differ.
    position = Position("5x5:3,1")
    assert perft(position, 6, hash_mb=4) == perft(position, 6)


def test_single_leaves_and_a_table_exclude_each_other():
    with pytest.raises(OptionError, match="hash_mb: given with bulk=False"):
        perft(Position("halma8"), 2, bulk=False, hash_mb=1)


@pytest.mark.parametrize("hash_mb", [0, -1, 2**40, 1.5, "16", True])
def test_table_size_out_of_range_names_the_field(hash_mb):
    with pytest.raises(OptionError, match=r"hash_mb: .*from 1 to"):
        perft(Position("halma8"), 2, hash_mb=hash_mb)
