"""A file that a command writes is there whole, or what was there before is."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import click
import pytest

from halma_fast.cli.files import whole_file, write_whole


def test_the_content_appears_at_the_end_and_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("before")
    path.chmod(0o640)
    with whole_file(str(path)) as file:
        file.write("after\n")
        file.flush()
        assert path.read_text() == "before"
    assert path.read_bytes() == b"after\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_failure_leaves_what_was_there(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "out"
    path.write_text("before")

    def write() -> None:
        with whole_file(str(path)) as file:
            file.write("half")
            raise error

    with pytest.raises(error):
        write()
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["out"]


def test_a_new_file_has_the_usual_rights(tmp_path: Path) -> None:
    usual = tmp_path / "usual"
    usual.touch()
    write_whole(str(tmp_path / "out"), "x")
    assert (tmp_path / "out").stat().st_mode == usual.stat().st_mode


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("before")
    (tmp_path / "link").symlink_to("target")
    write_whole(str(tmp_path / "link"), "after")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "after"
    write_whole(os.devnull, "gone")
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("name", ["none/out", ".", "a\0b", ""])
def test_what_cannot_be_written_is_told_before_anything_is_done(tmp_path: Path, name: str) -> None:
    with pytest.raises(click.UsageError, match="cannot be written: "):
        write_whole(str(tmp_path / name) if name else str(tmp_path), "x")
