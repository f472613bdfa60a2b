/* What is told of a match of Pulce, and the rules in short.
   Invariant: the points are the server's. Guarded by tests/web/browser/test_pulce.py. */

import { t } from "./i18n.js";
import { store } from "./store.js";

const $ = (id) => document.getElementById(id);
const HALMA = ["rules.aim", "rules.step", "rules.hop", "rules.stop", "rules.lock", "rules.end"];
const PULCE = ["rules.pulce_aim", "rules.pulce_goal", "rules.pulce_end", "rules.pulce_points"];

function row(tag, texts) {
  const made = document.createElement("tr");
  for (const text of texts) {
    const cell = document.createElement(tag);
    cell.textContent = text;
    made.append(cell);
  }
  return made;
}

/** Draw the points of the rounds so far. */
export function drawRounds() {
  const match = store.view?.match;
  $("rounds").hidden = !match;
  if (!match) return;
  const rows = [];
  for (let round = 1; round <= match.rounds; round++) {
    const points = match.results[round - 1]?.outcome.points;
    rows.push(row("td", [String(round), ...(points ?? ["", ""]).map(String)]));
    if (round === match.round) rows.at(-1).setAttribute("aria-current", "true");
  }
  rows.push(row("th", [t("pulce.sum"), ...match.points.map(String)]));
  $("rounds-body").replaceChildren(...rows);
}

/** Put the rules into their dialog. */
export function drawRules() {
  const parts = [];
  for (const [title, keys] of [["page.title", HALMA], ["rules.pulce", PULCE], ["rules.page", ["rules.keys"]]]) {
    const heading = document.createElement("h3");
    heading.textContent = t(title);
    parts.push(heading);
    for (const key of keys) {
      const line = document.createElement("p");
      line.textContent = t(key);
      parts.push(line);
    }
  }
  $("rules-text").replaceChildren(...parts);
}
