/* The view of an analysis: what the engine thinks of the position shown, live, with arrows for its lines.
   Invariant: depth, score, nodes and lines are shown as the server sends them.
   Guarded by tests/web/browser/test_analysis.py. */

import { engineJob, stopJob } from "./engine.js";
import { isEngines, isOver, roundSetup, shownView } from "./game.js";
import { number, t } from "./i18n.js";
import { store, update } from "./store.js";
import { noticeOf } from "./words.js";

const $ = (id) => document.getElementById(id);
const MOST_LINES = 5;
const SHOWN_MOVES = 8;
// Points at which the bar is three quarters full: about two moves of a man across a small board.
const BAR_POINTS = 400;

let running = null; // what is being analysed: the position's and the settings' text

const set = (fields) => update({ analysis: { ...store.analysis, ...fields } });

const limits = () => {
  const value = Number($("limit-value").value);
  return {
    multipv: Number($("lines").value),
    ...($("limit").value === "depth" ? { depth: Math.min(100, Math.max(1, Math.round(value))) } : {}),
    ...($("limit").value === "time" ? { seconds: Math.max(0.1, value) } : {}),
  };
};

/** Whether this page may ask the engine: not while a game by link goes on, nor by those who watch it. */
const mayAnalyse = () => store.mode !== "room" || isOver();

/** Keep the analysis at the position shown: begin it, begin it anew, or leave it. */
export function followAnalysis() {
  const view = shownView();
  const engineNext = store.at === null && isEngines() && !store.paused && !isOver();
  const wanted = store.analysis.on && view !== null && view.legal.length > 0 && mayAnalyse();
  if (!wanted) {
    if (running !== null) stopJob({ silent: true });
    running = null;
    if (!store.analysis.on || (view && view.legal.length === 0)) {
      if (store.analysis.lines.length) set({ lines: [], arrows: [], state: null });
    }
    return;
  }
  if (store.thinking || engineNext || store.busy) return;
  const key = JSON.stringify([view.fragment, limits()]);
  if (key !== running) start(view, key);
}

async function start(view, key) {
  running = key;
  set({ lines: [], arrows: [], state: null });
  const question = { type: "analyse", setup: roundSetup(view), moves: view.moves.map(({ move }) => move), ...limits() };
  const paths = new Map(view.legal.map(({ move, path }) => [move, path]));
  const show = (lines, state) =>
    set({ lines, arrows: lines.map(({ pv }) => paths.get(pv[0]) ?? []).filter((path) => path.length), state });
  const lines = [];
  const onNews = (news) => {
    if (news.type === "left") {
      if (running === key) running = null;
      return;
    }
    if (running !== key) return;
    if (news.type === "queued") set({ state: { key: "analysis.queued", values: { ahead: news.ahead } } });
    if (news.type === "started") set({ state: { key: "analysis.thinking" } });
    if (news.type === "info") {
      const before = lines[news.multipv - 1];
      // A bound says less than the exact score of the depth before; only the counts of such a message are news.
      const { nodes, seconds, nps } = news;
      const kept = news.bound === "exact" || before === undefined ? news : { ...before, nodes, seconds, nps };
      lines[news.multipv - 1] = kept;
      show(lines.filter(Boolean), { key: "analysis.thinking" });
    }
  };
  try {
    const done = await engineJob(question, onNews);
    if (running !== key) return;
    if (done.lines.length) show(done.lines, { key: "analysis.done" });
    // Others waited for the engine: what was found stays, and the search goes on when it is this page's turn again.
    if (done.ended === "share") start(view, key);
  } catch (error) {
    if (running !== key) return;
    set({ on: false });
    update({ notice: noticeOf(error) });
  }
}

/** The share of x in the bar, 0 to 100, of a score for the side to move. */
function shareOfX(score, turn) {
  const own = { win: 1, loss: -1, points: Math.tanh((score.value * Math.atanh(0.5)) / BAR_POINTS) }[score.kind];
  return 50 + 50 * (turn === "x" ? own : -own);
}

const cell = (row, text) => {
  const made = document.createElement("td");
  made.textContent = text;
  row.append(made);
};

const lineRow = (line) => {
  const row = document.createElement("tr");
  const sign = { lower: "≥ ", upper: "≤ ", exact: "" }[line.bound];
  cell(row, sign + line.score.text);
  cell(row, `${line.depth}/${line.seldepth}`);
  cell(row, line.pv.slice(0, SHOWN_MOVES).join(" ") + (line.pv.length > SHOWN_MOVES ? " …" : ""));
  return row;
};

/** Draw the panel. */
export function drawAnalysis() {
  const { on, lines, state } = store.analysis;
  $("analysis").hidden = !mayAnalyse();
  $("analyse").setAttribute("aria-pressed", String(on));
  $("analyse").textContent = t(on ? "analysis.stop" : "analysis.start");
  $("limit-value").hidden = $("limit").value === "none";
  $("lines-table").hidden = lines.length === 0;
  $("lines-body").replaceChildren(...lines.map(lineRow));
  const best = lines[0];
  const view = shownView();
  $("score-bar").hidden = !best || !view;
  const words = state ? [t(state.key, state.values)] : [];
  if (best && view) {
    const share = shareOfX(best.score, view.turn);
    $("score-fill").style.setProperty("--share", `${share}%`);
    $("score-bar").setAttribute("aria-label", t("analysis.bar", { score: best.score.text }));
    const { depth } = best;
    const { nodes, seconds, nps } = lines.reduce((last, line) => (line.nodes > last.nodes ? line : last));
    const values = { depth, nodes: number(nodes), seconds: number(seconds, 1), nps: number(nps) };
    words.push(t("analysis.numbers", values));
  }
  $("analysis-state").textContent = words.join(" ");
}

/** Let the panel be used. */
export function wireAnalysis() {
  for (let count = 1; count <= MOST_LINES; count++) $("lines").add(new Option(String(count)));
  $("lines").value = "3";
  $("analyse").onclick = () => set({ on: !store.analysis.on });
  for (const id of ["lines", "limit", "limit-value"]) $(id).onchange = () => set({});
}

/** Turn the analysis on or off. */
export const setAnalysis = (on) => set({ on });
