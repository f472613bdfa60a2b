"""What perft and divide promise beside the numbers: arguments, progress, endings, interruption."""

import importlib
import signal
import subprocess
import sys
import threading
import time

import pytest

from halma_fast import PASS, LimitError, OptionError, Position, Variant, divide, perft
from halma_fast.perft import PerftInterrupted

perft_module = importlib.import_module("halma_fast.perft")  # the package's name of it is the function


@pytest.mark.parametrize("depth", [-1, 101, 2**70, 1.0, "3", None, True, [1]])
def test_depth_out_of_range_names_the_field_and_the_range(depth):
    with pytest.raises(LimitError, match=r"depth: .*expected an integer from"):
        perft(Position("halma8"), depth)


def test_depth_zero_is_the_position_itself_and_has_no_moves_to_divide():
    assert perft(Position("halma8"), 0) == 1
    with pytest.raises(LimitError, match="from 1 to"):
        divide(Position("halma8"), 0)


@pytest.mark.parametrize("position", [None, "start", 3, Variant.named("halma8")])
def test_anything_but_a_position_is_refused(position):
    with pytest.raises(OptionError, match="position: "):
        perft(position, 2)


@pytest.mark.parametrize("bulk", [1, None, "yes"])
def test_bulk_is_true_or_false(bulk):
    with pytest.raises(OptionError, match="bulk: "):
        perft(Position("halma8"), 2, bulk=bulk)


def test_progress_reports_every_part_and_the_leaves_so_far():
    reports = []
    leaves = perft(Position("halma8"), 3, on_progress=reports.append)
    assert [report.done for report in reports] == list(range(1, len(reports) + 1))
    assert {report.total for report in reports} == {len(reports)}
    assert reports[-1].leaves == leaves == 20050
    assert [report.leaves for report in reports] == sorted(report.leaves for report in reports)
    assert {report.done_before for report in reports} == {0}


def test_an_error_in_the_progress_callback_reaches_the_caller():
    def fail(*_):
        raise RuntimeError("from the callback")

    with pytest.raises(RuntimeError, match="from the callback"):
        perft(Position("halma8"), 3, on_progress=fail)


def test_a_full_camp_has_no_leaves_below_it():
    over = Position.from_fen("xxxx4/xxx5/xx6/x7/7o/6oo/5ooo/4ooo1 o 60".replace("4ooo1", "3oooo1"), "halma8")
    assert over.is_game_over()
    assert perft(over, 0) == 1
    assert perft(over, 1) == perft(over, 4) == 0
    assert divide(over, 3) == {}


def test_rules_that_need_a_history_do_not_act_on_perft():
    plain = perft(Position("4x4:2,1"), 4)
    limited = Position("4x4:2,1", max_turns=1, home_deadline=1, repetition=None)
    assert perft(limited, 4) == plain == 14721
    limited.push(next(iter(limited.legal_moves)))
    assert limited.is_game_over()
    assert perft(limited, 1) > 0


def test_a_forced_pass_counts_as_one_move():
    # x's men are all in their goal camp, full but for a square that o holds: none of them can move, o's can.
    position = Position.from_fen("xx1/xo1/oo1 x 5", "3x3:2,1", win="occupied")
    if position.is_game_over():
        position = Position.from_fen("xx1/x1o/oo1 x 5", "3x3:2,1")
    assert list(position.legal_moves) == [PASS]
    assert divide(position, 1) == {PASS: 1}
    assert perft(position, 1, bulk=False) == 1
    position.push(PASS)
    below = perft(position, 1)
    position.pop()
    assert perft(position, 2) == perft(position, 2, bulk=False) == below


def test_other_threads_run_while_the_kernel_counts():
    counted = []
    thread = threading.Thread(target=lambda: counted.append(perft(Position("halma16"), 5)))
    thread.start()
    turns = 0
    while thread.is_alive():
        turns += 1
        time.sleep(0)
    assert counted == [289844520]
    assert turns > 10


COUNT_UNTIL_INTERRUPTED = """
import signal, halma_fast
signal.signal(signal.SIGINT, signal.default_int_handler)  # a parent in the background may have it ignored
print('counting', flush=True)
try:
    halma_fast.perft(halma_fast.Position('halma16'), 12, **{keywords})
except KeyboardInterrupt as e:
    print(type(e).__name__, e.leaves > 0, 0 <= e.done < e.total, halma_fast.perft(halma_fast.Position('halma8'), 3))
"""


@pytest.mark.parametrize("keywords", [{}, {"threads": 2}, {"hash_mb": 4}, {"threads": 2, "hash_mb": 4}])
def test_interrupt_ends_a_long_count_and_tells_what_was_counted(keywords):
    code = COUNT_UNTIL_INTERRUPTED.replace("{keywords}", repr(keywords))
    out = ""
    for seconds in (1, 4, 16):  # until a busy machine has counted something
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "counting\n"
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=60)
        if not out.startswith("PerftInterrupted False"):
            break
    assert out == "PerftInterrupted True True 20050\n"


def test_interrupt_before_anything_is_counted_is_told_as_such(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(perft_module, "split", interrupted)
    with pytest.raises(PerftInterrupted) as caught:
        perft(Position("halma8"), 6)
    assert (caught.value.leaves, caught.value.done, caught.value.total) == (0, 0, 0)
