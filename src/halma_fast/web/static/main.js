/* The beginning of the page: puts its parts together and opens the game that its address, its tab or nothing asks for.
   Invariant: whatever a person does goes through one of the functions wired here.
   Guarded by tests/web/browser/test_play.py. */

import { drawAnalysis, followAnalysis, setAnalysis, wireAnalysis } from "./analysis.js";
import { get } from "./api.js";
import { ask, wireDialogs } from "./ask.js";
import { Board } from "./board.js";
import { back, confirm, landings, mayMove, mustPass, tap } from "./choose.js";
import * as game from "./game.js";
import { browserLanguage, LANGUAGES, setLanguage, t } from "./i18n.js";
import { drawMoves, wireMoves } from "./moves.js";
import { load, save } from "./record.js";
import { createRoom, drawRoom, joinRoom, leaveRoom, onRoom, roomAct, roomMove } from "./room.js";
import { drawRounds, drawRules } from "./rounds.js";
import { openSetup, wireSetup } from "./setup.js";
import { askedFor, dropHash, share } from "./share.js";
import { onChange, store, update } from "./store.js";
import { announce, drawTable, statusText } from "./table.js";
import { endingText, errorText, moveText, noticeOf } from "./words.js";

const $ = (id) => document.getElementById(id);
const DEFAULT_SETUP = { variant: "halma16" };
const LANGUAGE_KEPT = "halma.language";
const THEME_KEPT = "halma.theme";

const board = new Board($("board"), { onSquare: (name) => tap(name, make), onEscape: back });

async function make(text) {
  if (store.mode === "room") {
    roomMove(text);
  } else if (store.at !== null) {
    const choices = [["branch", "branch.here"], ["end", "moves.last"], ["", "page.close"]];
    const answer = await ask("branch.title", "branch.about", choices);
    if (answer === "branch") await game.move(text, store.at);
    else if (answer === "end") await game.look(null);
  } else {
    await game.move(text);
  }
}

async function showMoved(view) {
  dropGameHash();
  const last = view.moves.at(-1);
  const over = game.isOver();
  const after = over ? endingText(view, store.ending) : mayMove() ? t("status.your_turn") : "";
  announce(`${moveText(last)} ${after}`);
  if (store.at === null) await board.animate(last.path);
}

const dropGameHash = () => {
  if (askedFor().game !== undefined) dropHash();
};

const fail = (error) => update({ notice: noticeOf(error) });

let said = { at: null };

/** Say what changed besides moves: a man that was chosen, a tap that was refused, a hint, an ending by resigning. */
function sayChanges({ chain, message, ending, hint, at, room }) {
  const before = said;
  const offered = store.mode === "room" && room.offers.draw.some((side) => !store.people.includes(side));
  said = { chain, message, ending, hint, at, offered };
  if (hint && hint !== before.hint) {
    announce(`${t("tool.hint")}: ${moveText({ side: game.shownView().turn, path: hint })}`);
  } else if (offered && !before.offered && store.people.length) {
    announce(t("room.draw_accept"));
  } else if (at !== before.at && at !== undefined && store.view) {
    announce(statusText(store.view));
  } else if (message && message !== before.message) {
    announce(t(message.key, message.values));
  } else if (chain.length && chain !== before.chain) {
    const names = [...landings().keys()];
    announce(t("say.chosen", { square: chain.at(-1), count: names.length, squares: names.join(", ") }));
  } else if (ending && ending !== before.ending && !store.view.outcome) {
    announce(endingText(store.view, ending));
  }
}

function draw() {
  drawTable(board);
  drawMoves();
  drawRounds();
  drawRoom();
  drawAnalysis();
}

/** Begin what the form of a new game describes; returns what is wrong with it, if anything. */
async function start(setup, how) {
  const { side, ...rest } = how;
  if (how.mode === "room") {
    try {
      await createRoom(setup, side);
      return null;
    } catch (error) {
      return errorText(noticeOf(error));
    }
  }
  leaveRoom();
  setAnalysis(how.mode === "analysis");
  update({ flipped: false });
  const done = await game.begin(setup, rest);
  if (done) dropHash();
  return done ? null : errorText(store.notice ?? { key: "error.internal" });
}

/** Open what the address asks for; returns whether it asked for anything that is there. */
async function openAddress() {
  const { game: fragment, token, key } = askedFor();
  if (token !== undefined) {
    // The key is this browser's secret: it goes out of the address as soon as it is read.
    if (key) history.replaceState(null, "", `${location.pathname}#t=${token}`);
    setAnalysis(false);
    joinRoom(token, key);
    return true;
  }
  if (fragment === undefined) return false;
  leaveRoom();
  if (await game.beginShared(fragment)) return true;
  dropHash();
  return false;
}

async function resign() {
  const answer = await ask("tool.resign", "resign.about", [["yes", "tool.resign"], ["", "page.close"]]);
  if (answer !== "yes" || game.isOver()) return;
  if (store.mode === "room") roomAct("resign");
  else game.resign();
}

function wireTools() {
  // These go away when they have done their work, and must not take the keyboard's focus with them.
  for (const id of ["confirm", "cancel", "pass", "next-round", "rematch"]) {
    $(id).addEventListener("click", () => board.focus());
  }
  $("confirm").onclick = () => confirm(make);
  $("cancel").onclick = () => back();
  $("pass").onclick = () => mustPass() && make("pass");
  $("undo").onclick = () => game.undo();
  $("hint").onclick = () => game.hint();
  $("flip").onclick = () => update({ flipped: !store.flipped });
  $("resign").onclick = resign;
  $("draw").onclick = () => (store.mode === "room" ? roomAct("draw") : game.agreeDraw());
  $("pause").onclick = () => game.setPaused(!store.paused);
  $("next-round").onclick = () => game.nextRound();
  $("rematch").onclick = () => (store.mode === "room" ? roomAct("rematch") : game.rematch());
  $("hop-by-hop").onchange = ({ target }) => update({ hopByHop: target.checked, chain: [] });
  $("open-new").onclick = () => openSetup();
  $("open-rules").onclick = () => $("rules-dialog").showModal();
  $("share").onclick = share;
  $("play-by-link").onclick = () => openSetup("room");
  $("save").onclick = save;
  $("load").onclick = () => $("load-file").click();
  $("load-file").onchange = async ({ target }) => {
    const [file] = target.files;
    target.value = "";
    if (!file) return;
    leaveRoom();
    dropHash();
    await load(file);
  };
}

async function speak(name) {
  await setLanguage(name);
  drawRules();
  update({});
}

async function wireSettings() {
  const kept = localStorage.getItem(LANGUAGE_KEPT);
  const name = kept in LANGUAGES ? kept : browserLanguage();
  for (const [value, label] of Object.entries(LANGUAGES)) $("language").add(new Option(label, value));
  $("language").value = name;
  $("language").onchange = ({ target }) => {
    localStorage.setItem(LANGUAGE_KEPT, target.value);
    speak(target.value);
  };
  const paint = (theme) => (document.documentElement.dataset.theme = theme);
  $("theme").value = paint(localStorage.getItem(THEME_KEPT) ?? "auto");
  $("theme").onchange = ({ target }) => localStorage.setItem(THEME_KEPT, paint(target.value));
  await speak(name);
}

async function begin() {
  await wireSettings();
  try {
    update({ info: await get("/api/info") });
  } catch (error) {
    fail(error);
    return;
  }
  game.onGame({ moved: showMoved, failed: fail });
  onRoom({ moved: showMoved });
  onChange(draw);
  onChange(sayChanges);
  // Later, since listeners change nothing themselves.
  onChange(() => queueMicrotask(followAnalysis));
  wireDialogs();
  wireMoves();
  wireAnalysis();
  wireTools();
  wireSetup(start);
  addEventListener("hashchange", openAddress);
  if (!(await openAddress())) {
    const { notice } = store;
    if (!(await game.resume())) {
      const { info } = store;
      await game.begin(DEFAULT_SETUP, { mode: "engine", people: ["x"], levels: { x: info.level, o: info.level } });
    }
    // A damaged link says so, above whatever is shown instead of it.
    if (notice) update({ notice });
  }
  document.body.dataset.ready = "true";
}

begin();
