"""The file of a match: it has every finished game, survives any cut, and is of one match only."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from halma_fast import MatchError, Side, Variant
from halma_fast.game import Control, Effort
from halma_fast.match import Match, MatchSettings
from halma_fast.match_file import MatchFile
from halma_fast.players import make_player
from halma_fast.records import read_records
from halma_fast.standing import Game
from match.scripted import Scripted

NAMES = ("engine:hash=1", "greedy")
SMALL = Variant.named("5x5:3,2,1", win="occupied")
PULCE = Variant.named("pulce", max_turns=30)


def settings(variant: Variant = SMALL, **values: Any) -> MatchSettings:
    return MatchSettings(
        **{"first": "engine:hash=1", "second": "greedy", "variant": variant, "control": Control(depth=1)} | values
    )


def written(path: Path, wanted: MatchSettings, games: int = 6) -> list[Game]:
    with MatchFile(path, wanted) as file:
        played: list[Game] = []

        def on_game(game: Game) -> None:
            file.append(game)
            played.append(game)

        Match(wanted, games).run(on_game=on_game)
    return played


def sums(games: list[Game]) -> Any:
    standing = Match(settings(), 1000, done=games).standing
    efforts = [(effort.moves, effort.depths, effort.nodes, effort.microseconds) for effort in standing.efforts]
    return standing.pentanomial, standing.endings, standing.turns, standing.points, efforts


@pytest.mark.parametrize("variant", [SMALL, PULCE], ids=lambda variant: variant.name)
def test_games_are_read_as_they_were_written(tmp_path: Path, variant: Variant) -> None:
    wanted = settings(variant)
    games = written(tmp_path / "games", wanted)
    with MatchFile(tmp_path / "games", wanted, resume=True) as file:
        assert sums(file.games) == sums(games)
        assert [(game.pair, game.leg, game.winner, game.turns) for game in file.games] == [
            (game.pair, game.leg, game.winner, game.turns) for game in games
        ]


def test_the_file_is_one_of_game_records(tmp_path: Path) -> None:
    wanted = settings()
    games = written(tmp_path / "games", wanted)
    records = list(read_records(tmp_path / "games", check="result"))
    assert [record.tags["Round"] for record in records] == ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"]
    for record, game in zip(records, games, strict=True):
        assert record.reason == game.rounds[0].reason
        assert record.variant == wanted.variant
        assert (record.tags["X"], record.tags["O"]) == (NAMES if game.leg == 0 else NAMES[::-1])
        assert record.tags["Seed"] == f"1/{game.pair}"
        assert len(record.moves) == game.turns
        assert any(move.score is not None and move.depth == 1 for move in record.moves)
        assert record.moves[0].seconds is None  # of the opening
        assert record.moves[-1].seconds is not None


@pytest.mark.parametrize("variant", [SMALL, PULCE], ids=lambda variant: variant.name)
def test_a_file_cut_anywhere_goes_on_with_the_whole_games(tmp_path: Path, variant: Variant) -> None:
    path = tmp_path / "games"
    wanted = settings(variant)
    games = written(path, wanted, 4)
    text = path.read_bytes()
    step = max(1, len(text) // 30)
    counts = []
    for cut in [*range(0, len(text), step), *range(len(text) - 5, len(text) + 1)]:
        path.write_bytes(text[:cut])
        with MatchFile(path, wanted, resume=True) as file:
            kept = [(game.pair, game.leg) for game in file.games]
            assert kept == [(game.pair, game.leg) for game in games][: len(kept)]
            assert path.read_bytes() == text[: path.stat().st_size]
            for game in games[len(kept) :]:
                file.append(game)
        assert path.read_bytes() == text
        counts.append(len(kept))
    assert counts == sorted(counts)
    assert set(counts) == {0, 1, 2, 3, 4}


def test_what_a_player_claims_of_its_search_never_spoils_the_file(tmp_path: Path) -> None:
    path = tmp_path / "games"
    wanted = settings()
    (game, *_) = written(path, wanted, 2)
    claims = Effort(*[10**30] * 5), Effort(-5, 10**9, 10**12, 10**18, 10**18 - 1)
    rounds = tuple(replace(round_, efforts=claims) for round_ in game.rounds)
    with MatchFile(path, wanted, resume=True) as file:
        file.append(replace(game, pair=1, rounds=rounds))
    with MatchFile(path, wanted, resume=True) as file:
        assert len(file.games) == 3
        most = (10**9 - 1, 10**9 - 1, 10**12 - 1, 10**18 - 1, 10**18 - 1)
        assert file.games[-1].rounds[0].efforts == (Effort(*most), Effort(0, *most[1:]))
    text = path.read_text()
    path.write_text(text.replace('[XEffort "', f'[XEffort "{"9" * 30}'))
    with pytest.raises(MatchError, match=r"line 1: effort: '9999.*expected a game as a match writes it"):
        MatchFile(path, wanted, resume=True)


def test_a_fault_is_written_with_what_it_was(tmp_path: Path) -> None:
    from halma_fast.game import play_round
    from halma_fast.position import Position

    wanted = settings()
    rude = Scripted(lambda _: '\n[Event "\x00"]{}\\"' + "é" * 1000)
    round_ = play_round((rude, make_player("greedy")), Position(wanted.variant))
    with MatchFile(tmp_path / "games", wanted) as file:
        file.append(Game(0, 0, (round_,)))
    with MatchFile(tmp_path / "games", wanted, resume=True) as file:
        (game,) = file.games
    assert (game.winner, game.rounds[0].reason) == (Side.O, "illegal move")
    assert "Event" in game.rounds[0].detail


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "games"
    written(path, settings(), 2)
    before = path.read_bytes()
    with pytest.raises(MatchError, match="is there already"):
        MatchFile(path, settings())
    assert path.read_bytes() == before
    (tmp_path / "empty").touch()
    with MatchFile(tmp_path / "empty", settings()) as file:
        assert file.games == []
    with MatchFile(tmp_path / "new", settings(), resume=True) as file:
        assert file.games == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 2}, "another match: seed is 1, expected 2"),
        ({"second": "random"}, "another match: second is 'greedy', expected 'random'"),
        ({"control": Control(depth=2)}, "another match: control is"),
        ({"variant": SMALL.with_rules(goal_lock="move")}, "another match: rules is"),
    ],
)
def test_a_file_of_another_match_is_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    path = tmp_path / "games"
    written(path, settings(), 2)
    before = path.read_bytes()
    with pytest.raises(MatchError) as caught:
        MatchFile(path, settings(**change), resume=True)
    assert words in str(caught.value)
    assert "line 1: " in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [
        b"hello\n",
        b"hello\n\nhello\n\n",
        b'[Event "something else"]\n[Result "*"]\n\n*\n\n',
        b'[Event "something else"]\n',
        b"\x00" * 1000,
        b"\xff\n\n\n\n",
        b"\n\n\n\n",
        b'[Event "halma-fast match"]\n[Round "1.1"]\n[Result "1-0"]\n[Reason "crash"]\n\n1-0\n\n',
        b'[Event "halma-fast match"]\n[Round "1.1"]\n[Match "[1]"]\n[Result "1-0"]\n[Reason "crash"]\n\n1-0\n\n',
    ],
)
def test_a_file_of_anything_else_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "games"
    path.write_bytes(content)
    with pytest.raises(MatchError, match=r"^out: "):
        MatchFile(path, settings(), resume=True)
    assert path.read_bytes() == content


@pytest.mark.parametrize("variant", [SMALL, PULCE], ids=lambda variant: variant.name)
def test_a_game_that_lacks_only_its_last_line_end_is_kept(tmp_path: Path, variant: Variant) -> None:
    path = tmp_path / "games"
    written(path, settings(variant), 2)
    text = path.read_bytes()
    for cut in (1, 2):
        path.write_bytes(text[:-cut])
        with MatchFile(path, settings(variant), resume=True) as file:
            assert len(file.games) == 2
        assert path.read_bytes() == text


def test_an_unfinished_game_of_another_match_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games"
    written(path, settings(), 2)
    text = path.read_bytes()
    one = text[: text.index(b"[Event ", 1)]
    settled = one.index(b"\n", one.index(b"[Match ")) + 1
    for end in (len(one) - 1, len(one) - 2, len(one) - 9, settled):
        path.write_bytes(one[:end])
        with pytest.raises(MatchError, match="line 1: a game of another match: seed is 1, expected 2"):
            MatchFile(path, settings(seed=2), resume=True)
        assert path.read_bytes() == one[:end]


@pytest.mark.parametrize("damage", [b"[" * 4000, b"[[1, 2]]", b"{", b"1"])
def test_damaged_settings_are_refused(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "games"
    written(path, settings(), 2)
    text = re.sub(rb'\[Match ".*"\]', b'[Match "' + damage + b'"]', path.read_bytes())
    for spoilt in (text, text[: text.index(b"[Event ", 1) - 1]):
        path.write_bytes(spoilt)
        with pytest.raises(MatchError, match="line 1: no settings of a match"):
            MatchFile(path, settings(), resume=True)
        assert path.read_bytes() == spoilt


@pytest.mark.parametrize(
    ("players", "words"),
    [
        ({"first": "ugi:a\tb"}, "player A: "),
        ({"second": "ugi:a\tb"}, "player B: "),
        ({"second": "ugi:" + "b" * 4096}, "player B: "),
        ({"first": "ugi:" + "é" * 2000}, "player A: "),  # only with the other settings it is too long
    ],
)
def test_players_whose_names_cannot_be_written_are_refused(tmp_path: Path, players: dict[str, str], words: str) -> None:
    with pytest.raises(MatchError) as caught:
        MatchFile(tmp_path / "games", settings(**players))
    assert str(caught.value).startswith(words)
    assert "cannot be written to a file" in str(caught.value)
    assert not (tmp_path / "games").exists()


@pytest.mark.parametrize("resume", [False, True])
def test_what_is_no_regular_file_is_refused(tmp_path: Path, resume: bool) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", Path("/dev/null"), Path("/dev/full")):
        with pytest.raises(MatchError, match=r"^out: '.* is no regular file, expected one"):
            MatchFile(path, settings(), resume=resume)


def test_a_spoilt_game_in_the_middle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games"
    written(path, settings(PULCE), 4)
    text = path.read_bytes()
    first, *others = text.split(b"[Event ")[1:]
    for spoilt, words in (
        (text.replace(b'[Opening "8"]', b'[Opening "800"]', 1), "Opening: '800' of "),
        (text.replace(b'[Opening "8"]', b'[Opening "x"]', 1), "Opening: 'x' of "),
        (text.replace(b'[XEffort "', b'[XEffort "x', 1), "effort: "),
        (text.replace(b'[MaxTurns "30"]', b'[MaxTurns "31"]', 1), ""),
        (text.replace(b" 6. ", b" 7. ", 1), "line "),
        (b"[Event " + b"[Event ".join([others[0], first, *others[1:]]), "expected round 1"),
        (text + text, "for the second time"),
    ):
        path.write_bytes(spoilt)
        with pytest.raises(MatchError) as caught:
            MatchFile(path, settings(PULCE), resume=True)
        assert words in str(caught.value)
        assert path.read_bytes() == spoilt


def test_two_matches_do_not_share_a_file(tmp_path: Path) -> None:
    with (
        MatchFile(tmp_path / "games", settings()),
        pytest.raises(MatchError, match="in use by another match"),
    ):
        MatchFile(tmp_path / "games", settings(), resume=True)
    with MatchFile(tmp_path / "games", settings(), resume=True):
        pass


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MatchError, match=r"^out: .* cannot be opened, No such file or directory"):
        MatchFile(tmp_path / "none" / "games", settings())
