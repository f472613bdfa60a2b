/* Choosing a move with taps or keys: a man, then where it lands; or its hops one by one, and then a confirmation.
   Invariant: only a move that the server lists as legal leaves here. Guarded by tests/web/browser/test_play.py. */

import { menAt, isOver, shownView } from "./game.js";
import { store, update } from "./store.js";

/** Whether a person here may move in the position shown. A room's earlier positions are only looked at. */
export function mayMove() {
  const view = shownView();
  if (!view || store.busy || !store.people.includes(view.turn)) return false;
  if (store.at !== null) return store.mode !== "room" && view.legal.length > 0;
  return !isOver() && view.legal.length > 0;
}

const legalFrom = (view, from) => view.legal.filter(({ path }) => path[0] === from).map(({ path }) => path.at(-1));

const isStep = (view, from, to) => {
  const found = view.legal.find(({ path }) => path[0] === from && path.at(-1) === to);
  return found !== undefined && !(view.chains[from]?.[from] ?? []).includes(to) && found.path.length === 2;
};

/** Where the chosen man can be put next: a Map of squares to "land", or "through" where it may not stay. */
export function landings() {
  const view = shownView();
  const { chain, hopByHop } = store;
  if (!view || chain.length === 0) return new Map();
  const stops = legalFrom(view, chain[0]);
  if (!hopByHop && chain.length === 1) return new Map(stops.map((name) => [name, "land"]));
  const next = (view.chains[chain[0]]?.[chain.at(-1)] ?? []).filter((name) => !chain.includes(name));
  const steps = chain.length === 1 ? stops.filter((name) => isStep(view, chain[0], name)) : [];
  return new Map([...next, ...steps].map((name) => [name, stops.includes(name) ? "land" : "through"]));
}

/** Whether the chain built so far may end where it is. */
export const mayConfirm = () =>
  store.chain.length > 1 && legalFrom(shownView(), store.chain[0]).includes(store.chain.at(-1));

const refuse = (key, values) => update({ message: { key, values } });

const choose = (name) => update({ chain: name === null ? [] : [name], hint: null, message: null });

/** A tap on a square; a move that it completes is given to `make`. */
export function tap(name, make) {
  const view = shownView();
  if (!view) return;
  if (!mayMove()) {
    if (!isOver() && view.legal.length > 0) refuse("refused.turn", {});
    return;
  }
  const { men } = menAt(store.view, store.at ?? store.view.moves.length);
  const { chain } = store;
  const targets = landings();
  if (chain.length > 1 && name === chain.at(-1)) {
    confirm(make);
  } else if (chain.length === 1 && name === chain[0]) {
    choose(null);
  } else if (targets.has(name)) {
    if (store.hopByHop && !isStep(view, chain[0], name)) update({ chain: [...chain, name], message: null });
    else make(`${chain[0]}-${name}`);
  } else if (men.get(name) === view.turn) {
    if (legalFrom(view, name).length > 0) choose(name);
    else refuse("refused.stuck", { square: name });
  } else if (men.has(name)) {
    refuse("refused.other", { square: name });
  } else if (chain.length > 0) {
    refuse("refused.landing", { from: chain[0], square: name });
  }
}

/** Make the chain that was built hop by hop. */
export function confirm(make) {
  if (mayConfirm()) make(store.chain.join("-"));
  else refuse("refused.stop", { square: store.chain.at(-1) ?? "" });
}

/** Take the last hop back, or leave the man. */
export const back = () => update({ chain: store.chain.slice(0, store.chain.length > 1 ? -1 : 0), message: null });

/** The men as they stand while a chain is being built, and the man's own square then. */
export function menShown() {
  const { men, last } = menAt(store.view, store.at ?? store.view.moves.length);
  const { chain } = store;
  if (chain.length < 2) return { men, last, start: null };
  men.set(chain.at(-1), men.get(chain[0]));
  return { men, last: chain, start: chain[0] };
}

/** Whether the side shown must pass. */
export const mustPass = () => shownView()?.legal[0]?.move === "pass";
