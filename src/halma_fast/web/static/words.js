/* What is said of squares, sides, moves and endings, in the language of the page.
   Invariant: whatever is shown is also said here in words. Guarded by tests/web/browser/test_languages.py. */

import { t } from "./i18n.js";
import { store } from "./store.js";

const REASONS = {
  "camp full": "reason.camp_full",
  repetition: "reason.repetition",
  "max turns": "reason.max_turns",
  "home deadline": "reason.home_deadline",
  blocked: "reason.blocked",
  "round over": "reason.round_over",
  resignation: "reason.resignation",
  "draw agreed": "reason.draw_agreed",
};

const ERRORS = {
  variant: "error.variant",
  over: "error.over",
  record: "error.record",
  link: "error.link",
  turn: "refused.turn",
  stale: "error.stale",
  network: "error.network",
  full: "error.full",
  "too-many": "error.too_many",
  "too-large": "error.too_large",
  "not-found": "room.gone",
};

/** "Orange" or "Blue". */
export const sideName = (side) => t(side === "x" ? "side.x" : "side.o");

/** Who a side is: you, the engine, another person. */
export function playerName(side) {
  const { mode, people, levels } = store;
  if (mode === "engine" || mode === "watch") {
    return people.includes(side) ? t("player.you") : t("player.engine", { level: levels[side] });
  }
  if (mode === "room") return people.includes(side) ? t("player.you") : people.length ? t("player.other") : "";
  return "";
}

/** What went wrong, as a line of the page's language, with the server's own words behind it. */
export const errorText = ({ key, values, detail }) => t(key, values) + (detail ? ` (${detail})` : "");

/** A refusal of the server as a notice. */
export const noticeOf = (error) => ({ key: ERRORS[error.code] ?? "error.internal", detail: error.message });

/** A move in words: who, from where, to where, over what landings. */
export function moveText({ side, path }) {
  if (path.length === 0) return t("say.pass", { side: sideName(side) });
  const values = { side: sideName(side), from: path[0], to: path.at(-1), through: path.slice(1, -1).join(", ") };
  return t(path.length > 2 ? "say.chain" : "say.move", values);
}

/** How a game ended: its winner and the reason. */
export function endingText(view, ending) {
  const { winner, reason, points } = ending ?? view.outcome;
  const { mode, people } = store;
  const own = people.length === 1 && (mode === "engine" || mode === "room");
  const parts = [];
  if (view.match && !ending) {
    parts.push(t("end.round", { round: view.match.round, rounds: view.match.rounds, x: points[0], o: points[1] }));
  } else {
    const won = !own ? "end.wins" : people.includes(winner) ? "end.you_win" : "end.you_lose";
    parts.push(t(winner === null ? "end.draw" : won, { side: winner && sideName(winner) }));
  }
  parts.push(t(REASONS[reason] ?? "reason.other", { reason }));
  if (view.match?.over && !["resignation", "draw agreed"].includes(reason)) {
    const [x, o] = view.match.points;
    const won = view.match.winner;
    parts.push(t(won === null ? "end.match_draw" : "end.match", { side: won && sideName(won), x, o }));
  }
  return parts.join(" ");
}

/** A square as it is read aloud: its name, what stands there, which camp it belongs to, what can be done. */
export function squareText(name, { men, view, marks, last }) {
  const { people, mode } = store;
  const side = men.get(name);
  const parts = [];
  if (!side) parts.push(t("square.empty", { square: name }));
  else if (people.length !== 1 || mode === "both") parts.push(t("square.man", { square: name, side: sideName(side) }));
  else parts.push(t(people.includes(side) ? "square.own" : "square.theirs", { square: name }));
  for (const goal of ["x", "o"]) {
    if (!view.goal[goal].includes(name)) continue;
    if (people.length !== 1) parts.push(t("square.goal", { side: sideName(goal) }));
    else parts.push(t(people.includes(goal) ? "square.own_goal" : "square.their_goal"));
  }
  if (name === last[0] || name === last.at(-1)) parts.push(t("square.last"));
  if (name === store.chain.at(-1)) parts.push(t("square.chosen"));
  if (marks.has(name)) parts.push(t(marks.get(name) === "through" ? "square.through" : "square.landing"));
  return parts.join(", ");
}
