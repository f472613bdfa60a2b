/* The list of moves, and the way through it: a tap on one looks at the position after it.
   Invariant: one button a move, the one looked at is marked. Guarded by tests/web/browser/test_play.py. */

import { look } from "./game.js";
import { t } from "./i18n.js";
import { store } from "./store.js";
import { moveText } from "./words.js";

const $ = (id) => document.getElementById(id);
let drawnFor = "";

const button = (move, ply) => {
  const made = document.createElement("button");
  made.type = "button";
  made.dataset.ply = ply;
  made.textContent = move.move === "pass" ? t("move.pass") : `${move.path[0]}-${move.path.at(-1)}`;
  made.title = move.path.join("-");
  made.setAttribute("aria-label", moveText(move));
  return made;
};

/** Two moves a row, x's on the left, whoever began. */
function rows(moves) {
  const made = [];
  let row = null;
  moves.forEach((move, index) => {
    if (!row || move.side === "x" || row.childElementCount === 3) {
      row = document.createElement("li");
      const label = document.createElement("span");
      label.className = "number";
      label.textContent = `${move.number}.`;
      row.append(label);
      if (move.side === "o") row.append(document.createElement("span"));
      made.push(row);
    }
    row.append(button(move, index + 1));
  });
  return made;
}

/** Draw the list, and keep the move looked at in sight. */
export function drawMoves() {
  const { view, at } = store;
  if (!view) return;
  const list = $("moves");
  const key = [document.documentElement.lang, view.moves.map(({ move }) => move).join(" ")].join(" ");
  if (key !== drawnFor) {
    drawnFor = key;
    list.replaceChildren(...rows(view.moves));
  }
  const now = at ?? view.moves.length;
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = list.querySelector(`[data-ply="${now}"]`);
  if (current) {
    current.setAttribute("aria-current", "true");
    // Not scrollIntoView: that would scroll the page on a phone as well.
    const top = current.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }
  for (const id of ["go-first", "go-back"]) $(id).disabled = now === 0;
  for (const id of ["go-on", "go-last"]) $(id).disabled = at === null;
}

/** Let the list and the buttons below it be used. */
export function wireMoves() {
  const now = () => store.at ?? store.view.moves.length;
  $("moves").addEventListener("click", ({ target }) => {
    if (target.dataset.ply) look(Number(target.dataset.ply));
  });
  $("go-first").onclick = () => look(0);
  $("go-back").onclick = () => look(now() - 1);
  $("go-on").onclick = () => look(now() + 1);
  $("go-last").onclick = () => look(null);
}
