"""A file that a command writes is there whole, or what was there before is."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import click
import pytest

from halma_fast.checks import shorten
from halma_fast.cli.files import whole_file, write_whole
from halma_fast.errors import CsciError
from halma_fast.files import read_bytes, replaced_file


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


def test_bytes_are_written_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with replaced_file(path, binary=True) as file:
        file.write(b"\xff\n\r\n")
    assert path.read_bytes() == b"\xff\n\r\n"


def test_a_small_file_is_read_whole_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "in"
    path.write_bytes(b"\xff" * 2048)
    assert read_bytes(str(path), 2048, "less", CsciError) == (shorten(str(path)), b"\xff" * 2048)
    monkeypatch.setattr("sys.stdin", None)
    for name, most, words in (
        (str(path), 2047, "more than 1 KB, expected less"),
        (str(tmp_path), 10, "cannot be read: Is a directory"),
        (str(tmp_path / "none"), 10, "cannot be read: No such file or directory"),
        ("a\0b", 10, "cannot be read"),
        ("-", 10, "standard input: cannot be read"),
    ):
        with pytest.raises(CsciError) as caught:
            read_bytes(name, most, "less", CsciError)
        assert str(caught.value).endswith(words)


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
