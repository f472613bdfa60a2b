/* The form of a new game: mode, side, strength, board and rules.
   Invariant: it offers every board and rule there is, and sends only the rules that the chosen board has.
   Guarded by tests/web/browser/test_setup.py. */

import { store } from "./store.js";

const $ = (id) => document.getElementById(id);
const HALMA_RULES = ["win", "goal_lock", "home_reentry", "home_duty", "home_deadline", "max_turns", "repetition"];
const PULCE_RULES = ["max_turns", "repetition", "first"];

const form = () => $("new-form").elements;

/** A rule's value as the server takes it. */
const valueOf = (field) => {
  const { value } = field;
  if (["true", "false", "null"].includes(value)) return JSON.parse(value);
  if (field.type === "number" || field.name === "repetition") return value === "" ? null : Number(value);
  return value;
};

/** The set-up that the form describes. */
function setupOf() {
  const fields = form();
  const size = fields.size.value;
  const camp = fields.camp.value.trim().split(/[\s,]+/).join(",");
  const variant = fields.variant.value === "custom" ? `${size}x${size}:${camp}` : fields.variant.value;
  const names = variant === "pulce" ? PULCE_RULES : HALMA_RULES;
  return { variant, rules: Object.fromEntries(names.map((name) => [name, valueOf(fields[name])])) };
}

/** Who plays: the mode, the sides of people on this page, and the engine's levels. */
function howOf() {
  const fields = form();
  const mode = fields.mode.value;
  const side = fields.side.value;
  const people = { engine: [side], watch: [] }[mode] ?? ["x", "o"];
  const x = Number(fields.level.value);
  return { mode, people, side, levels: { x, o: mode === "watch" ? Number(fields.level_o.value) : x } };
}

function showFields() {
  const fields = form();
  const mode = fields.mode.value;
  const variant = fields.variant.value;
  $("side-field").hidden = !["engine", "room"].includes(mode);
  $("level-field").hidden = !["engine", "watch"].includes(mode);
  for (const id of ["level-o-field", "level-x"]) $(id).hidden = mode !== "watch";
  $("level-one").hidden = mode === "watch";
  for (const field of $("new-form").querySelectorAll("[data-for]")) {
    const shown = { custom: variant === "custom", pulce: variant === "pulce", halma: variant !== "pulce" };
    field.hidden = !shown[field.dataset.for];
    // What is hidden must not keep the form from being sent.
    for (const input of field.querySelectorAll("input, select")) input.disabled = field.hidden;
  }
}

/** Put the rules that a board is usually played by into the form; those of a board of one's own are Halma's. */
function usualRules() {
  const fields = form();
  const { variants } = store.info;
  const { rules } = variants.find(({ name }) => name === fields.variant.value) ?? variants[0];
  for (const name of [...HALMA_RULES, ...PULCE_RULES].filter((one) => one in rules)) {
    const nothing = fields[name].type === "number" ? "" : "null";
    fields[name].value = String(rules[name] ?? nothing);
  }
}

/** Open the form; `mode` chooses one. */
export function openSetup(mode) {
  if (mode) form().mode.value = mode;
  $("new-error").textContent = "";
  showFields();
  $("new-dialog").showModal();
}

/** Let the form be used; `start(setup, how)` begins the game and returns what is wrong with it, if anything. */
export function wireSetup(start) {
  const fields = form();
  for (const name of ["level", "level_o"]) {
    for (let level = 1; level <= store.info.levels; level++) fields[name].add(new Option(String(level)));
    fields[name].value = String(store.info.level);
  }
  $("new-form").addEventListener("change", showFields);
  fields.variant.addEventListener("change", usualRules);
  $("new-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const wrong = await start(setupOf(), howOf());
    $("new-error").textContent = wrong ?? "";
    if (!wrong) $("new-dialog").close();
  });
}
