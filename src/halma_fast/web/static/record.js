/* Saving a game as a record file and reading one again.
   Invariant: a file that is refused leaves the game on the board as it is.
   Guarded by tests/web/browser/test_links.py. */

import { ApiError, post } from "./api.js";
import { begin } from "./game.js";
import { store, update } from "./store.js";
import { noticeOf, playerName } from "./words.js";

const MOST_BYTES = 256 * 1024;
const FILE_NAME = "halma.txt";
const WINNERS = { "1-0": "x", "0-1": "o", "1/2-1/2": null };

const resultOf = ({ winner }) => Object.keys(WINNERS).find((result) => WINNERS[result] === winner);

/** The games of a view as the server writes them: one, or one a round of Pulce. */
function gamesOf(view, ending) {
  const tags = Object.fromEntries(["x", "o"].map((side) => [side.toUpperCase(), playerName(side) || side]));
  const rounds = [...view.earlier, view.moves.map(({ move }) => move)];
  const { setup } = view;
  const games = rounds.map((moves, index) => {
    if (view.family !== "pulce") return { setup, moves, tags };
    const first = index % 2 === 0 ? setup.rules.first : { x: "o", o: "x" }[setup.rules.first];
    return { setup: { ...setup, rules: { ...setup.rules, first }, rounds: 1 }, moves, tags };
  });
  if (ending && !view.outcome) Object.assign(games.at(-1), { result: resultOf(ending), reason: ending.reason });
  return games;
}

/** Give the game to the person as a file. */
export async function save() {
  try {
    const { text } = await post("/api/record/write", { games: gamesOf(store.view, store.ending) });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = FILE_NAME;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  } catch (error) {
    update({ notice: noticeOf(error) });
  }
}

const isMatch = (games) => games.every(({ setup }) => setup.variant === "pulce");

/** Show the game of a file, to go on with as before; several games are the rounds of a match of Pulce. */
export async function load(file) {
  try {
    if (file.size > MOST_BYTES) throw new ApiError("too-large");
    const { games } = await post("/api/record/read", { text: await file.text() });
    if (games.length > 1 && !isMatch(games)) throw new ApiError("record", `games: ${games.length}, expected 1`);
    const last = games.at(-1);
    const setup = games.length > 1 ? { ...games[0].setup, rounds: Math.max(3, games.length) } : games[0].setup;
    const { mode, people, levels } = store;
    const how = ["engine", "analysis"].includes(mode) ? { mode, people, levels } : { mode: "both", people: ["x", "o"] };
    const earlier = games.slice(0, -1).map(({ moves }) => moves);
    const ending = { winner: WINNERS[last.result], reason: last.reason ?? "", points: null };
    // Paused, so that a game can be looked at before the engine goes on with it.
    const more = { moves: last.moves, earlier, ending: last.result === "*" ? null : ending, paused: true };
    if (!(await begin(setup, how, more))) return;
    if (store.view.outcome) update({ ending: null });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    update({ notice: noticeOf(error) });
  }
}
