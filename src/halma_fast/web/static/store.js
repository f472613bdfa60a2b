/* What the page knows: one object, changed by `update` only, so that whatever is drawn can be drawn from it alone.
   Invariant: listeners run after every change and only draw; whoever answers a change with another one does so later.
   Guarded by tests/web/browser/test_play.py. */

/** How the page stands. `view` is the server's, of the last position; `at` the ply looked at, null for the last. */
export const store = {
  info: null,
  mode: "engine", // or "both", "watch", "analysis", "room"
  people: ["x"], // the sides that are moved on this page
  levels: { x: 5, o: 5 },
  view: null,
  at: null,
  looked: null, // the view at `at`, when it has come
  ending: null, // what ended the game beside its rules: {winner, reason}
  chain: [], // the man that is chosen and the landings after it
  hopByHop: false,
  hint: null, // the squares of a hint
  flipped: false,
  thinking: false,
  paused: false,
  busy: false, // a question to the server is under way
  analysis: { on: false, lines: [], state: null, arrows: [] },
  room: null,
  notice: null, // what went wrong: {key, values, detail}
  message: null, // why a tap did nothing: {key, values}
};

const listeners = [];

/** Call `listener` after every change. */
export const onChange = (listener) => listeners.push(listener);

/** Take these fields over, and tell all listeners. */
export function update(fields) {
  Object.assign(store, fields);
  for (const listener of listeners) listener(store);
}
