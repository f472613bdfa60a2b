"""The group of commands, and the one place where a command's failure becomes a line and an exit status.

Invariant: bad input ends in one line on standard error and status 2, Ctrl-C in one line and 130, a reader that went
away silently in 141; never in a traceback. Guarded by tests/cli/test_failures.py.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import signal
import sys
from collections.abc import Sequence
from typing import Final

import click

from halma_fast import HalmaError, __version__
from halma_fast.checks import one_line
from halma_fast.cli.bench import bench
from halma_fast.cli.bestmove import bestmove
from halma_fast.cli.csci import csci
from halma_fast.cli.eval import eval_
from halma_fast.cli.info import info
from halma_fast.cli.match import match
from halma_fast.cli.moves import moves
from halma_fast.cli.options import with_option_names
from halma_fast.cli.output import Disagreement
from halma_fast.cli.perft import perft
from halma_fast.cli.play import play
from halma_fast.cli.race import race
from halma_fast.cli.record import record
from halma_fast.cli.serve import serve
from halma_fast.cli.show import show
from halma_fast.cli.solve import solve
from halma_fast.cli.ugi import ugi

__all__ = ["main"]

PROGRAM: Final = "halma-fast"
_MAX_MESSAGE: Final = 400

_BAD_INPUT: Final = 2
_OUTPUT_FAILED: Final = 1
_DISAGREES: Final = 1
_INTERRUPTED: Final = 128 + signal.SIGINT
_READER_GONE: Final = 128 + getattr(signal, "SIGPIPE", 13)


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="'halma-fast COMMAND --help' tells the options of a command.",
)
@click.version_option(__version__, prog_name=PROGRAM, message="%(prog)s %(version)s")
@click.pass_context
def commands(context: click.Context) -> None:
    """Halma and Pulce: count positions, find moves, show boards."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (perft, bestmove, eval_, match, moves, show, play, serve, record, ugi, csci, solve, race, bench, info):
    commands.add_command(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (by default the process's own) and return the exit status."""
    _make_streams_safe()
    try:
        status = _run(sys.argv[1:] if arguments is None else list(arguments))
        sys.stdout.flush()
        return status
    except (KeyboardInterrupt, click.Abort) as error:
        _say(f"interrupted: {error}" if str(error) else "interrupted")
        return _INTERRUPTED
    except click.ClickException as error:
        return _fail(_usage_message(error))
    except HalmaError as error:
        return _fail(with_option_names(str(error)))
    except MemoryError as error:
        return _fail(f"not enough memory: {with_option_names(str(error))}" if str(error) else "not enough memory")
    except OSError as error:
        _discard_output()
        if isinstance(error, BrokenPipeError) or error.errno == errno.EPIPE:
            return _READER_GONE
        _fail(f"cannot write the result: {error.strerror or error}")
        return _OUTPUT_FAILED


def _run(arguments: list[str]) -> int:
    # Not `commands.main()`: that one prints a blank line of its own at Ctrl-C and ends the process.
    try:
        with commands.make_context(PROGRAM, arguments) as context:
            commands.invoke(context)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except Disagreement as error:
        sys.stdout.flush()  # what was printed comes first on a terminal too
        _say(str(error))
        return _DISAGREES
    return 0


def _usage_message(error: click.ClickException) -> str:
    """What is wrong with the command line; an option that stands before the command is sent behind it."""
    if not isinstance(error, click.NoSuchOption) or error.ctx is None or error.ctx.command is not commands:
        return error.format_message()
    name = error.option_name
    if any(name in parameter.opts for command in commands.commands.values() for parameter in command.params):
        return f"{name} stands before the command, expected after it: {PROGRAM} COMMAND {name}"
    # Without the options of the group that happen to look alike.
    return f"no such option {name}; the options of a command belong after it"


def _fail(message: str) -> int:
    _say(f"error: {message}")
    return _BAD_INPUT


def _say(message: str) -> None:
    """Print one line on standard error, whatever the message contains."""
    line = one_line(message)
    if len(line) > _MAX_MESSAGE:
        line = f"{line[:_MAX_MESSAGE]}..."
    line = "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in line)
    with contextlib.suppress(OSError, ValueError):  # nobody may be listening there either
        print(f"{PROGRAM}: {line}", file=sys.stderr, flush=True)


def _make_streams_safe() -> None:
    """Let no character be unprintable, and no closed stream be `None`."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller: `halma-fast info >&-`
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - as long as the process
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Point standard output nowhere, so that the interpreter's own flush at exit cannot fail again."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
