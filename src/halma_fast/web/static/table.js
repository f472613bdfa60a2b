/* The table: the board, who sits at it, how the game stands, and the buttons below.
   Invariant: drawn from the store alone. Guarded by tests/web/browser/test_play.py and test_looks.py. */

import { landings, mayConfirm, mayMove, menShown, mustPass } from "./choose.js";
import { isEngines, isOver, shownView, undoPlies } from "./game.js";
import { t } from "./i18n.js";
import { store } from "./store.js";
import { endingText, errorText, playerName, sideName, squareText } from "./words.js";

const $ = (id) => document.getElementById(id);

const show = (id, shown, enabled = true) => {
  $(id).hidden = !shown;
  $(id).disabled = !enabled;
};

/** Say something to those who hear the page. */
export function announce(text) {
  const line = document.createElement("p");
  line.textContent = text;
  $("announcer").replaceChildren(line);
}

/** Whether the board is shown from o's corner: the person sits at the bottom right. */
const isFlipped = () => store.flipped !== (store.people.length === 1 && store.people[0] === "o");

const shapes = new Map();

/** The board of a view, as the drawing needs it; equal boards are the same object. */
function shapeOf(view) {
  const key = JSON.stringify([view.size, view.holes, view.goal]);
  if (!shapes.has(key)) {
    const goals = { x: new Set(view.goal.x), o: new Set(view.goal.o) };
    shapes.set(key, { key, size: view.size, holes: new Set(view.holes), goals });
  }
  return shapes.get(key);
}

/** Draw all that belongs to the table. */
export function drawTable(board) {
  const { view } = store;
  $("notice").hidden = !store.notice;
  if (store.notice) $("notice").textContent = errorText(store.notice);
  if (!view) return;
  drawBoard(board, view);
  drawSeats(view);
  $("status").textContent = [statusText(view), store.message ? t(store.message.key, store.message.values) : ""]
    .filter(Boolean)
    .join(" ");
  drawEnding(view);
  drawTools(view);
  // Who waits for the other player does so in another tab.
  document.title = (store.mode === "room" && mayMove() ? "● " : "") + t("page.title");
}

function drawBoard(board, view) {
  board.build(shapeOf(view), isFlipped(), t("page.board"));
  const { men, last, start } = menShown();
  const marks = landings();
  if (store.hint) for (const name of [store.hint[0], store.hint.at(-1)]) marks.set(name, "hint");
  const shown = shownView();
  const movable = new Set(mayMove() ? shown.legal.map(({ path }) => path[0]) : []);
  board.show({
    men,
    marks,
    last,
    start,
    chosen: store.chain.at(-1) ?? null,
    arrows: store.hint ? [store.hint] : store.analysis.arrows,
    can: (name) => marks.has(name) || movable.has(name),
    label: (name) => squareText(name, { men, view, marks, last }),
  });
}

function drawSeats(view) {
  const sides = isFlipped() ? ["x", "o"] : ["o", "x"];
  const { men } = menShown();
  ["seat-top", "seat-bottom"].forEach((id, index) => {
    const side = sides[index];
    const home = view.goal[side].filter((name) => men.get(name) === side).length;
    const seat = $(id);
    seat.className = `seat${(shownView() ?? view).turn === side && !isOver() ? " turn" : ""}`;
    const sample = document.createElement("span");
    sample.className = "sample";
    const man = document.createElement("span");
    man.className = `man ${side}`;
    sample.append(man);
    const name = document.createElement("strong");
    name.textContent = sideName(side);
    const who = document.createElement("span");
    who.textContent = playerName(side);
    const count = document.createElement("span");
    count.className = "count";
    count.textContent = t("seat.home", { men: home, of: view.start[side].length });
    seat.replaceChildren(sample, name, who, count);
  });
}

/** How the game stands, in one line. */
export function statusText(view) {
  if (store.at !== null) return t("status.looking", { move: store.at, of: view.moves.length });
  if (isOver()) return t("status.over");
  if (store.mode === "room" && store.room.connection !== "open") return t("status.reconnecting");
  if (store.thinking) return t("status.thinking");
  if (isEngines() && store.paused) return t("status.paused");
  if (mayMove() && mustPass()) return t("status.must_pass");
  if (store.people.length === 1) return t(store.people.includes(view.turn) ? "status.your_turn" : "status.waiting");
  return t("status.turn", { side: sideName(view.turn) });
}

function drawEnding(view) {
  const over = isOver();
  $("ending").hidden = !over;
  if (!over) return;
  $("ending-text").textContent = endingText(view, store.ending);
  const next = Boolean(view.match?.next) && !store.ending && store.mode !== "room";
  show("next-round", next);
  const asked = store.room?.offers.rematch ?? [];
  show("rematch", !next && (store.mode !== "room" || store.people.length > 0), !asked.includes(store.people[0]));
  const answer = asked.includes(store.people[0]) ? "room.rematch_asked" : "room.rematch_accept";
  $("rematch").textContent = t(asked.length === 0 ? "end.rematch" : answer);
}

function drawTools(view) {
  const inRoom = store.mode === "room";
  const over = isOver();
  show("confirm", store.hopByHop && store.chain.length > 1, mayConfirm());
  show("cancel", store.chain.length > 0);
  show("pass", mayMove() && mustPass());
  show("undo", !inRoom, undoPlies() !== 0 && !store.busy && store.at === null);
  show("hint", !inRoom || over, !store.thinking && !store.busy && (shownView()?.legal.length ?? 0) > 0);
  const playing = store.people.length > 0 && store.mode !== "analysis";
  show("resign", playing, !over);
  show("draw", playing && (inRoom || store.mode === "both"), !over);
  const offers = store.room?.offers.draw ?? [];
  const key = offers.includes(store.people[0]) ? "room.draw_offered" : offers.length ? "room.draw_accept" : "tool.draw";
  $("draw").textContent = t(key);
  $("draw").classList.toggle("main", key === "room.draw_accept");
  const waited = isEngines() && (store.paused || store.thinking);
  show("pause", store.mode === "watch" || waited, !over || Boolean(view.match?.next));
  $("pause").textContent = t(store.paused ? "tool.go_on" : "tool.pause");
}
