"""The dialogue at the board: what is shown, what is asked, and what a typed line does.

Owns which side the engine plays and how. Invariant: a line that is refused changes nothing; whatever ends the dialogue,
a game that was not saved is told in a form that goes on with it. Guarded by tests/play/test_play.py.
"""

from __future__ import annotations

import os.path
import re
import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from halma_fast import HalmaError, Limit, Move, Position, Score, Side, square_name
from halma_fast.checks import shorten
from halma_fast.cli.output import count, print_fields, print_text
from halma_fast.cli.progress import ProgressLine
from halma_fast.cli.prompt import Prompt, say
from halma_fast.cli.typed import AmbiguousMove, candidates, read_move
from halma_fast.clock import TimeControl
from halma_fast.game_record import changed_rules
from halma_fast.levels import MAX_LEVEL, LevelPlayer
from halma_fast.render import coloured_board
from halma_fast.session import AGREED, RESIGNED, Session
from halma_fast.types import Info

__all__ = ["BoardGame"]

_PERSON: Final = "person"
_LEVEL_NAME: Final = re.compile(r"level ([1-9][0-9]?)", re.ASCII)
_HINT_SECONDS: Final = 1.0
_MIN_ABBREVIATION: Final = 3
_INTEGER: Final = re.compile(r"[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Command:
    """A word that can be typed: `arguments` as the help shows them, at most `most` words."""

    run: Callable[[BoardGame, list[str]], None]
    arguments: str
    help: str
    most: int = 0


class BoardGame:
    """A game in a terminal: BoardGame(start, engine_sides, ...); `run` plays it.

    start: where new games begin; engine_sides: the sides that the engine plays, none for two people; file: where the
    game is kept after every move, `None` for nowhere. A game that takes the place of one with moves is not kept there,
    until `replace` says so.
    """

    def __init__(
        self,
        start: Position,
        engine_sides: frozenset[Side],
        *,
        level: int,
        seed: int,
        control: TimeControl | None,
        file: str | None,
    ) -> None:
        self._start = start
        self._control = control
        self._player = LevelPlayer(level, seed=seed)
        self._option_file = file
        self._file = file  # where this game is kept
        self._known_files: set[str] = set()  # that have this game, and may be written anew
        if file is not None:
            self._known_files.add(file)
        self._set_sides(engine_sides)
        self._prompt = Prompt(self._complete)
        self._engine_waits = False  # after Ctrl-C, until the person has done something
        self._offer: Side | None = None  # who offers a draw
        self._done = False
        self._session = self._new_session()

    def take(self, session: Session) -> None:
        """Go on with another session, with the opponents that it names."""
        self._session = session
        self._start = session.position
        while self._start.move_stack:
            self._start.pop()
        self._control = None if session.clock is None else session.clock.control
        sides = set()
        for side in Side:
            level = _LEVEL_NAME.fullmatch(session.names[side])
            if level is not None and int(level[1]) <= MAX_LEVEL:
                self._player.level = int(level[1])
                sides.add(side)
        self._set_sides(frozenset(sides))
        self._engine_waits = False
        self._offer = None

    def set_opponents(self, engine_sides: frozenset[Side] | None, level: int | None) -> None:
        """Change which sides the engine plays, and how well; `None` leaves it as it is. Raises `OptionError`."""
        if level is not None:
            self._player.level = level
        if engine_sides is not None:
            self._set_sides(engine_sides)
        self._session.names = self._names()

    def _set_sides(self, engine_sides: frozenset[Side]) -> None:
        self._engine_sides = engine_sides
        self._flipped = engine_sides == {Side.X}

    # The loop.

    def run(self) -> None:
        """Play until `quit` or the end of input; raises `KeyboardInterrupt` at the second Ctrl-C in a row."""
        interrupted = False
        with self._prompt:
            self._show()
            while not self._done:
                try:
                    if self._engine_is_to_move():
                        self._let_engine_move()
                        continue
                    line = self._prompt.read(self._prompt_text(), self._time_for_a_line())
                    if line is None:
                        break
                    interrupted = False
                    if line:
                        self._obey(line)
                except TimeoutError:
                    say("")
                    self._after_time()
                except KeyboardInterrupt:
                    if interrupted:
                        self._tell_how_to_go_on()
                        raise
                    interrupted = True
                    self._cancel()
            self._tell_how_to_go_on()

    def _cancel(self) -> None:
        if self._engine_is_to_move():
            self._engine_waits = True
            say("", "The engine waits: 'go' lets it move, 'undo' takes your move back; Ctrl-C again quits.")
        else:
            say("", "Ctrl-C again quits.")

    def _engine_is_to_move(self) -> bool:
        session = self._session
        return session.turn in self._engine_sides and not self._engine_waits and session.ending is None

    def _time_for_a_line(self) -> float | None:
        """After how many seconds the time of the side to move is up, a moment later so that it is."""
        clock = self._session.clock
        if clock is None or clock.running is None or self._session.ending is not None:
            return None
        return clock.left(clock.running) + 0.01

    def _after_time(self) -> None:
        if self._session.ending is not None:
            self._offer = None
            self._announce_ending()

    def _prompt_text(self) -> str:
        session = self._session
        if self._offer is not None:
            return f"{self._offer.other}: accept the draw? (yes or no) "
        if session.ending is not None:
            return "> "
        if session.clock is None:
            return f"{session.turn}> "
        return f"{session.turn} {_time(session.clock.left(session.turn))}> "

    def _obey(self, line: str) -> None:
        """Do what a line says, or say why not."""
        try:
            if self._offer is not None:
                self._answer_offer(line.lower())
                return
            word, *arguments = _words(line)
            command = _command_of(word)
            if command is None:
                self._move(line)
                return
            if len(arguments) > command.most:
                expected = f"{word} {command.arguments}" if command.arguments else f"{word} alone"
                raise HalmaError(f"{word}: {shorten(' '.join(arguments))}, expected {expected}")
            command.run(self, arguments)
        except AmbiguousMove as error:
            print_fields([("which", [move.text for move in error.moves])])
        except HalmaError as error:
            say(_sentence(str(error)))
        except OSError as error:
            say(f"{error.filename or 'file'}: {error.strerror or error}")

    # Moves.

    def _move(self, text: str) -> None:
        session = self._session
        before = session.position
        if session.ending is not None:
            self._announce_ending()
            return
        move = read_move(before, text)
        session.push(move)
        self._after_move(before, move, None)

    def _let_engine_move(self) -> None:
        session = self._session
        session.resume()
        before = session.position
        with ProgressLine(f"{self._player.name} is thinking"), self._prompt.allowed():
            played = self._player.play(before, self._limit())
        if session.ending is not None:  # its time was up before the move
            self._after_time()
            return
        session.push(played.move, info=played.info)
        self._after_move(before, played.move, played.info)

    def _limit(self) -> Limit | None:
        """What the clock allows for a move: never more than a tenth of what is left, whatever the engine plans."""
        clock = self._session.clock
        if clock is None:
            return None
        left = clock.left(self._session.turn)
        most = max(0.005, left / 10 + 0.9 * min(clock.control.increment, left))
        return clock.limit().within(Limit(time=most))

    def _after_move(self, before: Position, move: Move, info: Info | None) -> None:
        self._engine_waits = False
        path = [square_name(square) for square in before.path(move)] if move else []
        thought = "" if info is None else f"  ({_words_of(info)})"
        self._keep()
        line = f"{before.turn} plays {'-'.join(path) or move.text}{thought}"
        if before.turn not in self._engine_sides and self._engine_is_to_move():
            say(line)  # the board follows with the answer
        else:
            self._show(line)

    def _show(self, *lines: str) -> None:
        """Show the board, with the last move marked, and what there is to say."""
        session = self._session
        session.resume()
        position = session.position
        last = position.move_stack[-1:]
        marked = {square for move in last if move for square in (move.from_square, move.to_square)}
        print_text("", coloured_board(position, marked, self._flipped), "")
        if session.clock is not None:
            say(_times(session))
        if lines:
            say(*lines)
        if session.ending is not None:
            self._announce_ending()

    def _announce_ending(self) -> None:
        if self._session.changed:  # time may have ended the game, whoever noticed it
            self._keep()
        say(f"The game is over: {self._session.ending}. 'undo', 'new', 'save FILE' or 'quit'.")

    # What can be typed.

    def _help(self, arguments: list[str]) -> None:
        rows = [
            ("h1-f3", "a move; also 'h1 f3', 'h1-f3-f5', or a unique beginning"),
            *((f"{name} {command.arguments}".strip(), command.help) for name, command in _COMMANDS.items()),
        ]
        print_fields(rows)
        say("", "Three letters of a word are enough. The third repetition is a draw.")

    def _moves(self, arguments: list[str]) -> None:
        position = self._session.position
        if arguments:
            moves = candidates(position, arguments[0])
            if not moves:
                read_move(position, arguments[0])  # says why
        else:
            moves = sorted(position.legal_moves)
        if not moves:
            self._announce_ending()
            return
        by_square: dict[str, list[str]] = {}
        for move in moves:
            origin = square_name(move.from_square) if move else "pass"
            by_square.setdefault(origin, []).append(square_name(move.to_square) if move else "")
        print_fields(by_square.items())

    def _hint(self, arguments: list[str]) -> None:
        position = self._session.position
        if self._session.ending is not None:
            self._announce_ending()
            return
        adviser = LevelPlayer(MAX_LEVEL)
        with ProgressLine("looking for a move"), self._prompt.allowed():
            played = adviser.play(position, Limit(time=_HINT_SECONDS))
        thought = "" if played.info is None else f"  ({_words_of(played.info)})"
        say(f"hint: {played.move.text}{thought}")

    def _undo(self, arguments: list[str]) -> None:
        session = self._session
        ending = session.ending
        if not arguments and ending is not None and ending.reason in (AGREED, RESIGNED):
            session.reopen()
            self._keep()
            self._show(f"took back: {ending.reason}")
            return
        times = _number(arguments, "undo", 1)
        if times == 0:
            raise HalmaError("undo: 0, expected a number from 1 on")
        plies = 0
        made = len(session.moves)
        people = [side for side in Side if side not in self._engine_sides]
        for _ in range(min(times, made)):
            plies += 1
            # Back to a person's turn: the engine's answer goes with the move that it answers.
            while people and plies < made and _side_before(session, plies) not in people:
                plies += 1
        undone = session.undo(min(plies, made) or 1)
        self._engine_waits = True
        self._keep()
        self._show(f"took back {' '.join(move.text for move in reversed(undone))}")
        if session.turn in self._engine_sides:
            say("It is the engine's turn: 'go' lets it move.")

    def _flip(self, arguments: list[str]) -> None:
        self._flipped = not self._flipped
        self._show()

    def _board(self, arguments: list[str]) -> None:
        self._show()

    def _level(self, arguments: list[str]) -> None:
        if arguments:
            self._player.level = _number(arguments, "level", 0)
            self._session.names = self._names()
        say(f"level {self._player.level} of {MAX_LEVEL}")

    def _clock(self, arguments: list[str]) -> None:
        say("no clock: --clock 300+2 gives one" if self._session.clock is None else _times(self._session))

    def _save(self, arguments: list[str]) -> None:
        self._write("save", arguments, replace=False)

    def _replace(self, arguments: list[str]) -> None:
        self._write("replace", arguments, replace=True)

    def _write(self, word: str, arguments: list[str], *, replace: bool) -> None:
        name = _file_name(word, arguments)
        if not replace and name not in self._known_files and os.path.lexists(name):
            raise HalmaError(f"save: {shorten(name)} exists, expected a new name, or 'replace {name}'")
        self._session.save(name)
        self._known_files.add(name)
        if self._is_option_file(name):
            self._file = self._option_file
        say(f"saved in {name}")

    def _load(self, arguments: list[str]) -> None:
        name = _file_name("load", arguments)
        session = Session.load(name)
        self._leave(name)
        self.take(session)
        self._known_files.add(name)
        self._engine_waits = True
        self._show(f"loaded from {name}: {session.names[Side.X]} (x) against {session.names[Side.O]} (o)")
        if session.turn in self._engine_sides and session.ending is None:
            say("It is the engine's turn: 'go' lets it move.")

    def _new(self, arguments: list[str]) -> None:
        self._leave()
        self._session = self._new_session()
        self._engine_waits = False
        self._keep()
        self._show()

    def _go(self, arguments: list[str]) -> None:
        if self._session.ending is not None:
            self._announce_ending()
            return
        self._let_engine_move()

    def _draw(self, arguments: list[str]) -> None:
        if self._session.ending is not None:
            self._announce_ending()
        elif self._engine_sides:
            say("The engine plays on: it takes a draw from the rules only.")
        else:
            self._offer = self._session.turn

    def _answer_offer(self, line: str) -> None:
        if line in ("y", "yes", "n", "no"):
            side, self._offer = self._offer, None
            if line[0] == "n":
                say(f"{side.other if side is not None else ''} declines; the game goes on.")
                return
            self._session.agree_draw()
            self._announce_ending()
        else:
            say(f"{shorten(line)}, expected yes or no")

    def _resign(self, arguments: list[str]) -> None:
        people = [side for side in Side if side not in self._engine_sides]
        self._session.resign(people[0] if len(people) == 1 else None)
        self._announce_ending()

    def _quit(self, arguments: list[str]) -> None:
        self._done = True

    # How it is done.

    def _names(self) -> tuple[str, str]:
        names = [self._player.name if side in self._engine_sides else _PERSON for side in Side]
        return names[0], names[1]

    def _new_session(self) -> Session:
        session = Session(self._start, names=self._names(), control=self._control)
        session.tags["Date"] = time.strftime("%Y.%m.%d")
        return session

    def _is_option_file(self, name: str) -> bool:
        return self._option_file is not None and os.path.realpath(name) == os.path.realpath(self._option_file)

    def _leave(self, name: str | None = None) -> None:
        """Before another game, that of the file `name` if it has one, takes this one's place: no file is written over.

        What is in no file is printed, and what is in the file that keeps the game stays there.
        """
        self._tell_how_to_go_on()
        self._known_files.clear()
        if name is not None and self._is_option_file(name):
            self._file = self._option_file
        elif self._file is not None and self._session.moves:
            say(
                f"{self._file} stays as it is, and the next game is not kept. To keep it there:"
                f" replace {shlex.quote(self._file)}"
            )
            self._file = None

    def _keep(self) -> None:
        """Write the game to its file, if it has one; play goes on if that fails."""
        if self._file is None:
            return
        try:
            self._session.save(self._file)
        except (HalmaError, OSError) as error:
            say(f"cannot keep the game: {_sentence(str(error))}")

    def _tell_how_to_go_on(self) -> None:
        """Before a game that was not saved is left: print the command that goes on with it."""
        session = self._session
        if not session.changed or not session.moves:
            return
        root = session.position
        moves = " ".join(move.text for move in root.move_stack)
        while root.move_stack:
            root.pop()
        session.changed = False
        words = ["halma-fast", "play", "--variant", root.variant.name]
        for rule, value in changed_rules(root.variant):
            if not isinstance(value, bool):
                words += [f"--{rule.replace('_', '-')}", str(value).lower()]
            elif (rule, value) in _FLAGS:
                words.append(_FLAGS[rule, value])
            else:
                say("", "This game was not saved, and no option has its rules. As a file:", "", str(session.record()))
                return
        if root.fen() != root.variant.start_fen:
            words += ["--fen", root.fen()]
        people = [side for side in Side if side not in self._engine_sides]
        words += ["--side", "both" if len(people) == 2 else str(people[0]) if people else "none"]
        if self._engine_sides:
            words += ["--level", str(self._player.level)]
        words += ["--moves", moves]
        say("", "This game was not saved. To go on with it:", shlex.join(words))

    def _complete(self, text: str) -> list[str]:
        """Return the lines that a line could become."""
        begun = text.lstrip()
        blanks = text[: len(text) - len(begun)]
        found = [name for name in _COMMANDS if begun and name.startswith(begun)]
        if self._session.ending is None:
            found += [move.text for move in candidates(self._session.position, begun)] if begun else []
        return [blanks + line for line in found]


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line) or [line]
    except ValueError:
        words = line.split()
        if _command_of(words[0]) is None:
            return words  # a move that is none will be told so
        raise HalmaError(f"{words[0]}: {shorten(line)}, expected a closing quote") from None


def _command_of(word: str) -> _Command | None:
    """Return the command that a word names, or that is the only one to begin with three letters or more."""
    name = word.lower()
    if name in _COMMANDS:
        return _COMMANDS[name]
    if name in _ALIASES:
        return _COMMANDS[_ALIASES[name]]
    found = [command for known, command in _COMMANDS.items() if known.startswith(name)]
    return found[0] if len(found) == 1 and len(name) >= _MIN_ABBREVIATION else None


def _number(arguments: Sequence[str], word: str, default: int) -> int:
    if not arguments:
        return default
    if not _INTEGER.fullmatch(arguments[0]):
        raise HalmaError(f"{word}: {shorten(arguments[0])}, expected a number")
    return int(arguments[0])


def _file_name(word: str, arguments: Sequence[str]) -> str:
    if not arguments:
        raise HalmaError(f"{word}: no file, expected '{word} FILE'")
    return arguments[0]


def _side_before(session: Session, plies: int) -> Side:
    """Who is to move that many plies earlier."""
    return session.turn if plies % 2 == 0 else session.turn.other


def _sentence(message: str) -> str:
    """An error's message on one line, as it is said at the board."""
    return " ".join(message.removeprefix("move: ").split())


def _words_of(info: Info) -> str:
    return f"{_score(info.score)}, depth {info.depth}, {count(info.nodes)} nodes, {info.seconds:.1f} s"


def _score(score: Score) -> str:
    return f"{score} points" if score.kind == "points" else f"{score} plies"


def _times(session: Session) -> str:
    assert session.clock is not None
    return "  ".join(f"{side} {_time(session.clock.left(side))}" for side in Side)


def _time(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes)}:{rest:04.1f}" if seconds < 10 else f"{int(minutes)}:{int(rest):02}"


_COMMANDS: Final[dict[str, _Command]] = {
    "moves": _Command(BoardGame._moves, "[SQUARE]", "list the moves, or those of one man", 1),
    "hint": _Command(BoardGame._hint, "", "show a good move"),
    "undo": _Command(BoardGame._undo, "[N]", "take back your last move, or the last N", 1),
    "go": _Command(BoardGame._go, "", "let the engine make this move"),
    "level": _Command(BoardGame._level, "[N]", f"show or set the engine's strength, 1 to {MAX_LEVEL}", 1),
    "clock": _Command(BoardGame._clock, "", "show the time left"),
    "board": _Command(BoardGame._board, "", "show the board again"),
    "flip": _Command(BoardGame._flip, "", "turn the board round"),
    "save": _Command(BoardGame._save, "FILE", "write the game to a new file", 1),
    "replace": _Command(BoardGame._replace, "FILE", "write it to a file that exists", 1),
    "load": _Command(BoardGame._load, "FILE", "go on with a game from a file", 1),
    "draw": _Command(BoardGame._draw, "", "offer a draw to the other person"),
    "resign": _Command(BoardGame._resign, "", "give the game up"),
    "new": _Command(BoardGame._new, "", "begin a new game"),
    "help": _Command(BoardGame._help, "", "show this"),
    "quit": _Command(BoardGame._quit, "", "leave; a game that was not saved is printed"),
}
# What a rule that is true or false is set by, on the command line.
_FLAGS: Final = {("home_reentry", False): "--no-home-reentry", ("home_duty", True): "--home-duty"}
_ALIASES: Final = {"?": "help", "q": "quit", "exit": "quit"}
