/* A game by link: this page's place in it, moves over the socket, and coming back after a lost connection.
   Invariant: a move is kept until the server has acknowledged or refused it, and sent again after every new connection;
   the server counts it once. Guarded by tests/web/browser/test_room.py. */

import { post } from "./api.js";
import { t } from "./i18n.js";
import { copyBox, linkOf } from "./share.js";
import { Socket } from "./socket.js";
import { store, update } from "./store.js";
import { noticeOf, sideName } from "./words.js";

const $ = (id) => document.getElementById(id);
const KEY_BYTES = 18;

let socket = null;
let pending = null; // the message that the server has not answered yet
let lastId = 0;
let hooks = { moved: async () => {} };

/** `moved(view)` is called after every move that arrives. */
export const onRoom = (given) => (hooks = { ...hooks, ...given });

const keyName = (token) => `halma.key.${token}`;
const linksName = (token) => `halma.links.${token}`;

/** This browser's own secret for a player's link: the first key that comes with it has the side. */
function keyOf(token, given) {
  if (given) localStorage.setItem(keyName(token), given);
  let key = localStorage.getItem(keyName(token));
  if (!key) {
    const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
    key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    localStorage.setItem(keyName(token), key);
  }
  return key;
}

/** Make a game by link and take `side` in it. */
export async function createRoom(setup, side) {
  const made = await post("/api/rooms", { setup });
  const token = made[side];
  const other = side === "x" ? "o" : "x";
  sessionStorage.setItem(linksName(token), JSON.stringify({ side: other, token: made[other] }));
  location.hash = `t=${token}`;
}

/** Leave the game by link, if there is one. */
export function leaveRoom() {
  socket?.close();
  socket = null;
  if (pending) settle(pending.id);
}

/** Come to a game by the token of its link. */
export function joinRoom(token, givenKey) {
  leaveRoom();
  const key = keyOf(token, givenKey);
  const room = { token, key, connection: "connecting", version: -1, players: null, offers: { draw: [], rematch: [] } };
  const nothing = { people: [], view: null, at: null, looked: null, ending: null, chain: [], hint: null, notice: null };
  update({ ...nothing, mode: "room", room });
  socket = new Socket("/ws/room", {
    onOpen: () => socket.send({ type: "join", token, key }),
    onMessage: hear,
    onState: (connection) => patch({ connection: connection === "open" ? store.room.connection : connection }),
  });
}

const patch = (fields, others = {}) => {
  if (store.room) update({ room: { ...store.room, ...fields }, ...others });
};

const hearers = {
  welcome: ({ seat, watch, taken }) => patch({ seat, watch, taken }),
  state: hearState,
  moved: hearMoved,
  players: ({ players, watchers }) => patch({ players, watchers }),
  ack: ({ id }) => settle(id),
  error: hearError,
};

const hear = (message) => hearers[message.type]?.(message);

const settle = (id) => {
  if (pending?.id !== id) return;
  pending = null;
  update({ busy: false });
};

function hearState({ version, game, role, view, ending, offers, players, watchers, score }) {
  const newGame = game !== store.room.game;
  const behind = view.moves.length === (store.view?.moves.length ?? -1);
  const kept = newGame || !behind ? { chain: [], hint: null, message: roundMessage(view, newGame) } : {};
  patch(
    { connection: "open", version, game, offers, players, watchers, score },
    { view, ending, people: role === "watch" ? [] : [role], at: newGame ? null : store.at, looked: null, ...kept },
  );
  if (pending) socket.send(pending);
}

/** What is said of a round of Pulce when the next one has taken its place. */
function roundMessage({ match, moves }, newGame) {
  const ended = match?.results.at(-1);
  if (!newGame || !ended || moves.length > 0) return null;
  const [x, o] = ended.outcome.points;
  return { key: "end.round", values: { round: match.results.length, rounds: match.rounds, x, o } };
}

async function hearMoved({ version, game, ply, move, view, ending }) {
  const { room } = store;
  if (version <= room.version) return;
  if (version > room.version + 1 || game !== room.game || ply !== store.view.moves.length + 1) {
    socket.send({ type: "sync" });
    return;
  }
  const { view: before } = store;
  const offers = { ...room.offers, draw: [] };
  patch(
    { version, offers },
    { view: { ...before, ...view, moves: [...before.moves, move] }, ending, chain: [], hint: null, message: null },
  );
  await hooks.moved(store.view);
}

function hearError({ id, code, message }) {
  if (code === "not-found") patch({ connection: "closed" });
  settle(id);
  update({ notice: noticeOf({ code, message }) });
}

const send = (message) => {
  lastId++;
  const full = { ...message, id: lastId, game: store.room.game };
  socket.send(full);
  return full;
};

/** Make a move: it is sent again until the server has answered. */
export function roomMove(move) {
  if (pending) return;
  update({ busy: true, chain: [], message: null });
  pending = send({ type: "move", ply: store.view.moves.length, move });
}

/** Resign, offer or accept a draw, or ask for another game. */
export const roomAct = (type) => send({ type });

const stateText = ({ connection, taken, players, watchers }) => {
  const lines = [];
  if (connection === "closed") return t("room.gone");
  if (connection !== "open") lines.push(t("status.reconnecting"));
  if (taken) lines.push(t("room.taken"));
  lines.push(store.people.length ? t("room.you_play", { side: sideName(store.people[0]) }) : t("room.you_watch"));
  for (const side of ["x", "o"]) {
    if (store.people.includes(side) || !players) continue;
    const key = players[side].online ? "room.online" : players[side].joined ? "room.offline" : "room.not_joined";
    lines.push(t(key, { side: sideName(side) }));
  }
  if (watchers) lines.push(t("room.watchers", { count: watchers }));
  return lines.join(" ");
};

let drawnLinks = "";
let alone = null; // whether the other player is still to come

/** Draw the card of the game by link. */
export function drawRoom() {
  const { room } = store;
  $("room").hidden = store.mode !== "room";
  if (store.mode !== "room" || !room) return;
  $("room").dataset.connection = room.connection;
  $("room-state").textContent = stateText(room);
  const wasAlone = alone;
  alone = store.people.length > 0 && Boolean(room.players) && !["x", "o"].every((side) => room.players[side].joined);
  // The links are in sight as long as one of them has to be sent to somebody.
  if (alone !== wasAlone) $("room-more").open = alone;
  const other = JSON.parse(sessionStorage.getItem(linksName(room.token)) ?? "null");
  const key = JSON.stringify([document.documentElement.lang, room.token, room.watch, store.people]);
  // Built once, not with every move: a copied link should stay selected.
  if (key === drawnLinks) return;
  drawnLinks = key;
  const boxes = [];
  if (other && !room.taken) boxes.push(copyBox(t("room.other_link"), linkOf(`t=${other.token}`)));
  if (room.watch) boxes.push(copyBox(t("room.watch_link"), linkOf(`t=${room.watch}`)));
  if (store.people.length) boxes.push(copyBox(t("room.own_link"), linkOf(`t=${room.token}.${room.key}`)));
  $("room-links").replaceChildren(...boxes);
}
