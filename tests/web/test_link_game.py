"""Games by link over real sockets: whole games, a server that is killed in the middle, tabs, rounds, rematches."""

from __future__ import annotations

import time
from random import Random

from .host import KEYS, SMALL, Server, Socket, serving


def push(mover: Socket, state: dict, move: str, game: int = 0) -> None:
    mover.send({"type": "move", "id": state["view"]["ply"], "game": game, "ply": state["view"]["ply"], "move": move})


def test_a_whole_game_with_the_server_killed_in_the_middle(tmp_path):
    database = str(tmp_path / "games.sqlite")
    numbers = Random(3)
    moves: list[str] = []
    with serving("--db", database) as server:
        tokens = server.room(SMALL)
        sides = {side: server.join(tokens[side], KEYS[side]) for side in "xo"}
        watcher = server.join(tokens["watch"], KEYS["watch"])
        state = sides["x"].state
        for _ in range(7):
            move = numbers.choice(state["view"]["legal"])["move"]
            mover = sides[state["view"]["turn"]]
            push(mover, state, move)
            seen = [socket.get("moved") for socket in (*sides.values(), watcher)]
            assert mover.get("ack")["duplicate"] is False
            assert [message["move"] for message in seen] == [seen[0]["move"]] * 3
            state = next(message for message in seen if message["view"]["legal"])
            moves.append(move)
        # The eighth is kept as soon as its sender knows of it, and then the server is killed at once.
        move = state["view"]["legal"][0]["move"]
        mover = sides[state["view"]["turn"]]
        push(mover, state, move)
        mover.get("ack")
        server.kill()
        moves.append(move)
        assert {socket.closed() for socket in (*sides.values(), watcher)} == {1006}
    with serving("--db", database) as server:
        sides = {side: server.join(tokens[side], KEYS[side]) for side in "xo"}
        states = {side: socket.state for side, socket in sides.items()}
        assert [made["move"] for made in states["x"]["view"]["moves"]] == moves
        assert states["x"]["version"] == len(moves)
        assert [states[side]["role"] for side in "xo"] == ["x", "o"]
        # Whoever did not hear of the answer sends the move again.
        sender = sides["o" if len(moves) % 2 == 0 else "x"]
        sender.send({"type": "move", "id": 9, "game": 0, "ply": len(moves) - 1, "move": moves[-1]})
        assert sender.get("ack")["duplicate"] is True
        state = states[states["x"]["view"]["turn"]]
        while state["view"]["outcome"] is None:
            move = numbers.choice(state["view"]["legal"])["move"]
            push(sides[state["view"]["turn"]], state, move)
            state, other = (socket.get("moved") for socket in sides.values())
            moves.append(move)
            if other["view"]["legal"]:
                state = other
        view = server.game(SMALL, *moves)
        assert state["ending"] == view["outcome"] | {"points": None}
        assert state["view"]["fen"] == view["fen"]


def test_two_tabs_of_a_player_stay_in_step(server: Server):
    tokens = server.room(SMALL)
    tabs = [server.join(tokens["x"], KEYS["x"]) for _ in range(2)]
    other = server.join(tokens["o"], KEYS["o"])
    assert [tab.state["role"] for tab in tabs] == ["x", "x"]
    move = tabs[0].state["view"]["legal"][0]["move"]
    for tab in tabs:
        push(tab, tab.state, move)
    assert sorted(tab.get("ack")["duplicate"] for tab in tabs) == [False, True]
    assert other.get("moved")["version"] == 1
    answer = server.join(tokens["o"], KEYS["o"]).state["view"]["legal"][0]["move"]
    other.send({"type": "move", "id": 1, "game": 0, "ply": 1, "move": answer})
    second = [tab.get("moved") for tab in tabs]
    versions = {message["version"] for tab in tabs for message in tab.seen if message["type"] == "moved"}
    assert versions <= {1, 2}
    assert {message["view"]["ply"] for message in second} <= {1, 2}
    for tab in tabs:
        assert len(tab.ask({"type": "sync"}, "state")["view"]["moves"]) == 2
        assert [message["type"] for message in tab.seen].count("moved") == 2


def test_a_chain_is_shown_as_it_was_hopped(server: Server):
    moves: list[str] = []
    chains: list[dict] = []
    while not chains or len(moves) % 2:
        view = server.game({"variant": "halma8"}, *moves)
        chains = [move for move in view["legal"] if len(move["path"]) > 2]
        if not chains or len(moves) % 2:
            moves.append(view["legal"][len(moves) % len(view["legal"])]["move"])
    tokens = server.room({"variant": "halma8"})
    sides = {side: server.join(tokens[side], KEYS[side]) for side in "xo"}
    written = "-".join(chains[0]["path"])
    for ply, move in enumerate([*moves, written]):
        sides["xo"[ply % 2]].send({"type": "move", "id": ply, "game": 0, "ply": ply, "move": move})
        shown = [sides[side].get("moved") for side in "xo"]
    number = len(moves) // 2 + 1
    assert shown[1]["move"] == {"move": chains[0]["move"], "side": "x", "number": number, "path": chains[0]["path"]}


def test_rounds_of_pulce_follow_each_other_and_a_rematch_swaps_the_sides(server: Server):
    setup = {"variant": "pulce", "rules": {"max_turns": 2}}
    tokens = server.room(setup)
    sockets = {seat: server.join(tokens[side], KEYS[side]) for seat, side in (("a", "x"), ("b", "o"))}
    assert {seat: socket.welcome["seat"] for seat, socket in sockets.items()} == {"a": "a", "b": "b"}
    states = {seat: socket.state for seat, socket in sockets.items()}
    for game in range(3):
        first = "xox"[game]
        assert {(state["game"], state["view"]["first"]) for state in states.values()} == {(game, first)}
        for ply in range(2):
            seat = next(seat for seat, state in states.items() if state["view"]["legal"])
            move = states[seat]["view"]["legal"][0]["move"]
            sockets[seat].send({"type": "move", "id": 1, "game": game, "ply": ply, "move": move})
            states = {seat: socket.get("moved") for seat, socket in sockets.items()}
        assert states["a"]["view"]["outcome"]["reason"] == "max turns"
        assert states["a"]["view"]["match"]["next"] == (game < 2)
        if game < 2:
            assert states["a"]["ending"] is None
            states = {seat: socket.get("state") for seat, socket in sockets.items()}
    assert states["a"]["ending"] == {"winner": None, "reason": "max turns", "points": [0, 0]}
    sockets["b"].ask({"type": "rematch", "id": 1, "game": 2}, "ack")
    offered = sockets["a"].get("state")
    assert offered["offers"]["rematch"] == ["o"]
    sockets["a"].send({"type": "rematch", "id": 1, "game": 2})
    begun = sockets["a"].get("state")
    assert (begun["role"], begun["game"], begun["score"]) == ("o", 3, {"a": 0.5, "b": 0.5})


def test_who_comes_and_goes_is_told(server: Server):
    tokens = server.room(SMALL)
    x = server.join(tokens["x"], KEYS["x"])
    assert x.state["players"] == {"x": {"joined": True, "online": True}, "o": {"joined": False, "online": False}}
    o, watcher = server.join(tokens["o"], KEYS["o"]), server.join(tokens["watch"], KEYS["watch"])
    told = x.get("players")
    assert (told["players"]["o"], told["watchers"]) == ({"joined": True, "online": True}, 1)
    o.close()
    watcher.close()
    told = x.get("players")
    assert (told["players"]["o"], told["watchers"]) == ({"joined": True, "online": False}, 0)


def test_a_room_is_removed_after_its_time_and_says_so():
    with serving(threads=1, keep_days=1.0 / 86400) as server:
        tokens = server.room(SMALL)
        x = server.join(tokens["x"], KEYS["x"])
        began = time.monotonic()
        assert x.get("error")["code"] == "not-found"
        assert x.closed() == 4404
        assert time.monotonic() - began > 0.5
        late = server.socket("/ws/room")
        assert late.ask({"type": "join", "token": tokens["x"], "key": KEYS["x"]}, "error")["code"] == "not-found"
        assert late.closed() == 4404
