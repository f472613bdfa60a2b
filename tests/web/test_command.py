"""`halma-fast serve` as a command: its line, its end, and its refusals in one line with status 2."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time

import pytest

from halma_fast.cli import main

from .host import Server, serving

COMMAND = [sys.executable, "-m", "halma_fast", "serve"]


def refused(*options: str, status: int = 2, env: dict[str, str] | None = None, command: list[str] | None = None) -> str:
    done = subprocess.run(
        [*(command or COMMAND), *options], capture_output=True, text=True, timeout=60, check=False, env=env
    )
    assert (done.returncode, done.stdout) == (status, ""), done
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_it_prints_its_address_and_ends_at_once_at_ctrl_c(tmp_path):
    with serving("--db", str(tmp_path / "deep" / "games.sqlite")) as server:
        assert server.address == f"http://127.0.0.1:{server.place.partition(':')[2]}/"
        socket_ = server.socket("/ws/engine")
        socket_.ask({"type": "analyse", "id": 1, "setup": {"variant": "halma16"}}, "info")
        process = server.process
        began = time.monotonic()
        process.send_signal(2)
        out, errors = process.communicate(timeout=60)
        assert time.monotonic() - began < 10
        assert (process.returncode, out, errors) == (130, "", "halma-fast: interrupted\n")
        assert socket_.closed() in (1001, 1006, 1012)
    assert (tmp_path / "deep" / "games.sqlite").is_file()


def test_the_file_of_games_is_in_the_users_data_folder(tmp_path):
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path)}
    process = subprocess.Popen([*COMMAND, "--port", "0"], stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout is not None
        assert process.stdout.readline()
        assert (tmp_path / "halma-fast" / "games.sqlite").is_file()
        assert "another server uses it" in refused("--port", "0", env=environment)
    finally:
        process.kill()
        process.communicate()


def test_the_page_is_opened_in_the_browser_if_asked(tmp_path):
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {seen}.part && mv {seen}.part {seen}\n', encoding="utf-8")
    browser.chmod(0o755)
    command = [*COMMAND, "--port", "0", "--db", ":memory:", "--open"]
    environment = os.environ | {"BROWSER": f"{browser} %s"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        end = time.monotonic() + 60
        while not seen.exists() and time.monotonic() < end:
            time.sleep(0.02)
        process.terminate()
    assert seen.read_text(encoding="utf-8") == address


def test_a_port_in_use_is_told(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"--port: {port} is in use" in refused("--port", str(port), "--db", str(tmp_path / "games.sqlite"))
    assert not (tmp_path / "games.sqlite").exists()


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--port", "65536"], "--port: 65536, expected"),
        (["--port", "x"], "expected an integer"),
        (["--threads", "0"], "--threads: 0, expected"),
        (["--keep", "0"], "--keep: 0.0, expected"),
        (["--hash", "0"], "--hash: 0, expected"),
        (["--host", "no.such.host.invalid", "--port", "0"], "--host: "),
        (["--port", "0", "--db", f"{__file__}/x"], "cannot be used"),
        (["more"], "unexpected"),
    ],
)
def test_bad_options_are_refused(options, part, capsys):
    assert main(["serve", *options]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert part in told.err


def test_without_the_extra_it_says_what_to_install():
    hide = (
        "import importlib.util, sys\n"
        "find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *more: None if name == 'uvicorn' else find(name, *more)\n"
        "from halma_fast.cli import main\n"
        "sys.exit(main())\n"
    )
    told = refused("--port", "0", command=[sys.executable, "-c", hide, "serve"])
    assert "uvicorn is not installed, expected pip install 'halma-fast[web]'" in told


def test_the_rest_of_the_command_line_needs_none_of_it():
    code = (
        "import sys\n"
        "import halma_fast.cli.app\n"
        "print([name for name in ('starlette', 'uvicorn', 'websockets', 'msgspec') if name in sys.modules])\n"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_help_and_the_served_page_are_there(server: Server):
    done = subprocess.run([*COMMAND, "--help"], capture_output=True, text=True, check=True)
    for option in ("--host", "--port", "--open", "--db", "--keep", "--threads", "--seconds", "--hash"):
        assert option in done.stdout
    assert server.ask("/api/info")[0] == 200
