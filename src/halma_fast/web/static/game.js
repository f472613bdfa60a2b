/* The game on this page: moves, the engine's turns, undo, looking back, rounds of Pulce, and keeping it over a reload.
   Invariant: `store.view` is an answer of the server, so every move shown was found legal; an answer that comes after
   the game has changed is dropped. Guarded by tests/web/browser/test_play.py and test_pulce.py. */

import { ApiError, askView, post } from "./api.js";
import { engineJob, stopJob } from "./engine.js";
import { store, update } from "./store.js";

const KEPT = "halma.game";
// Watched games keep a pace that can be followed where nothing is animated.
const PACE_MILLISECONDS = 350;

const hooks = { moved: async () => {}, failed: () => {} };
let turnNumber = 0; // counts whatever makes an answer of the engine stale
let asked = null; // the turn that the engine is thinking about

/** `moved(view)` is awaited after every move and shows it; `failed(error)` is told what went wrong. */
export const onGame = (given) => Object.assign(hooks, given);

const texts = (view) => view.moves.map(({ move }) => move);

/** The game is over: by the rules, by resigning, or with the round of Pulce. */
export const isOver = () => Boolean(store.view?.outcome ?? store.ending);

/** The view that is shown, null while it is on its way. */
export const shownView = () => (store.at === null ? store.view : store.looked);

/** The set-up of the present round alone, as a job of the engine needs it. */
export const roundSetup = (view) => {
  const { setup } = view;
  return view.family === "pulce" ? { ...setup, rules: { ...setup.rules, first: view.first }, rounds: 1 } : setup;
};

/** The men at a ply, and the squares of the move that led there. */
export function menAt(view, ply) {
  if (ply === view.moves.length) return { men: sides(view.men), last: view.moves.at(-1)?.path ?? [] };
  const men = sides(view.start);
  for (const { side, path } of view.moves.slice(0, ply)) {
    if (path.length === 0) continue;
    men.delete(path[0]);
    men.set(path.at(-1), side);
  }
  return { men, last: ply > 0 ? view.moves[ply - 1].path : [] };
}

const sides = (squares) => new Map(["x", "o"].flatMap((side) => squares[side].map((name) => [name, side])));

const fresh = () => ({ at: null, looked: null, chain: [], hint: null, notice: null, message: null });

/** Run one question to the server at a time; refusals are shown and change nothing. */
async function quietly(question) {
  if (store.busy) return false;
  update({ busy: true });
  try {
    await question();
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    hooks.failed(error);
    return false;
  } finally {
    update({ busy: false });
  }
}

function leaveTurn() {
  turnNumber++;
  if (asked !== null) stopJob({ silent: true });
  asked = null;
  update({ thinking: false });
}

function keep() {
  if (store.mode === "room") return;
  const { mode, people, levels, ending, view } = store;
  sessionStorage.setItem(KEPT, JSON.stringify({ mode, people, levels, ending, fragment: view.fragment }));
}

const take = (view, fields = {}) => {
  update({ view, ...fresh(), ...fields });
  keep();
};

/** Begin a game: `how` has mode, people and levels. Returns whether the server knows such a game. */
export async function begin(setup, how, { moves = [], earlier = [], ending = null, paused = false } = {}) {
  if (store.busy) return false;
  leaveTurn();
  const done = await quietly(async () => {
    take(await askView(setup, moves, earlier), { ...how, ending, paused, room: null });
  });
  engineTurn();
  return done;
}

/** Show the game of a link's fragment. */
export async function beginShared(fragment, how = { mode: "both", people: ["x", "o"] }, ending = null) {
  if (store.busy) return false;
  leaveTurn();
  const done = await quietly(async () => {
    take(await post("/api/share", { fragment }), { ...how, ending, paused: true, room: null });
  });
  return done;
}

function readKept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    return null; // what another version left is no game
  }
}

/** Go on with the game that this tab had before it was reloaded. */
export async function resume() {
  const kept = readKept();
  if (!kept) return false;
  const { fragment, ending, ...how } = kept;
  const done = await beginShared(fragment, how, ending);
  if (done) {
    update({ paused: how.mode === "watch" });
    engineTurn();
  }
  return done;
}

/** Make a move at the end of the game, or at `ply`, where it drops the moves after it. */
export async function move(text, ply = store.view.moves.length) {
  if (store.busy) return false;
  leaveTurn();
  const { view } = store;
  const done = await quietly(async () => {
    const next = await askView(view.setup, [...texts(view).slice(0, ply), text], view.earlier);
    const looked = store.at;
    take(next, { ending: null, at: looked !== null && looked < ply ? looked : null });
  });
  if (!done) return false;
  const mine = turnNumber;
  await hooks.moved(store.view);
  if (mine === turnNumber) engineTurn();
  return true;
}

/** Whether the side to move is the engine's. */
export const isEngines = () =>
  ["engine", "watch"].includes(store.mode) && store.view !== null && !store.people.includes(store.view.turn);

/** Let the engine think if it is its turn; in a watched game go on to the next round as well. */
async function engineTurn() {
  const { view, mode } = store;
  if (!view || !isEngines() || store.paused || store.ending || asked === turnNumber) return;
  if (view.outcome) {
    if (mode === "watch" && view.match?.next) await nextRound();
    return;
  }
  const mine = turnNumber;
  asked = mine;
  update({ thinking: true });
  const began = performance.now();
  try {
    const level = store.levels[view.turn];
    const { move: found } = await engineJob({ type: "play", setup: roundSetup(view), moves: texts(view), level });
    if (mode === "watch") await new Promise((go) => setTimeout(go, PACE_MILLISECONDS - (performance.now() - began)));
    if (mine !== turnNumber) return;
    asked = null;
    update({ thinking: false });
    // If the server could not be reached, the person may let the engine go on when it can be again.
    if (!(await move(found))) update({ paused: true });
  } catch (error) {
    if (mine !== turnNumber) return;
    asked = null;
    update({ thinking: false, paused: true });
    hooks.failed(error);
  }
}

/** Stop or go on with the engine's moves. */
export function setPaused(paused) {
  if (paused) leaveTurn();
  update({ paused });
  if (!paused) engineTurn();
}

/** How many plies undo takes back now, 0 if it cannot. */
export function undoPlies() {
  const { view, mode, people } = store;
  if (!view || mode === "room") return 0;
  if (store.ending) return -1;
  const plies = view.moves.length;
  if (mode !== "engine") return Math.min(1, plies);
  // Back to the person's last move, whether or not the engine has answered it.
  const own = view.moves.findLastIndex(({ side, move: text }) => people.includes(side) && text !== "pass");
  return own < 0 ? 0 : plies - own;
}

/** Take back the last move, in a game against the engine with its answer; or that somebody resigned. */
export async function undo() {
  const plies = undoPlies();
  if (!plies || store.busy) return;
  leaveTurn();
  if (plies < 0) {
    update({ ending: null });
    keep();
  } else {
    const { view } = store;
    await quietly(async () => take(await askView(view.setup, texts(view).slice(0, -plies), view.earlier)));
    update({ paused: store.mode === "watch" || store.paused });
  }
  engineTurn();
}

/** Look at a ply; null is the last position. */
export async function look(ply) {
  const { view } = store;
  const at = ply === null || ply >= view.moves.length ? null : Math.max(0, ply);
  update({ at, looked: null, chain: [], hint: null, message: null });
  // In a game by link that goes on nobody here is helped, so the men are all there is to see.
  if (at === null || (store.mode === "room" && !isOver())) return;
  try {
    const looked = await askView(view.setup, texts(view).slice(0, at), view.earlier);
    if (store.at === at && store.view === view) update({ looked });
  } catch (error) {
    hooks.failed(error);
  }
}

/** Give up: the person's side, or the side to move where both are people's. */
export function resign() {
  const { people, view } = store;
  const loser = people.length === 1 ? people[0] : view.turn;
  leaveTurn();
  update({ ...fresh(), ending: { winner: loser === "x" ? "o" : "x", reason: "resignation", points: null } });
  keep();
}

/** Two people at one board agree on a draw. */
export function agreeDraw() {
  update({ ...fresh(), ending: { winner: null, reason: "draw agreed", points: null } });
  keep();
}

/** Begin the next round of a match of Pulce. */
export async function nextRound() {
  const { view, mode, people, levels } = store;
  await begin(view.setup, { mode, people, levels }, { earlier: [...view.earlier, texts(view)] });
}

/** The same game anew. */
export async function rematch() {
  const { view, mode, people, levels } = store;
  await begin(view.setup, { mode, people, levels });
}

/** The squares of the move that the engine would make in the position shown. */
export async function hint() {
  const view = shownView();
  if (!view || view.legal.length === 0) return;
  const mine = turnNumber;
  update({ thinking: true, hint: null });
  try {
    const found = await engineJob({ type: "hint", setup: roundSetup(view), moves: texts(view) });
    if (mine === turnNumber && shownView() === view) update({ hint: found.path });
  } catch (error) {
    hooks.failed(error);
  } finally {
    if (mine === turnNumber) update({ thinking: false });
  }
}
