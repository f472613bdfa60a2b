/* The board as it is seen: a grid of squares that can be tapped, reached by keys and read aloud, and lines over it.
   Invariant: it knows no rule of the game and keeps no state of it; what it shows is the last view it was given.
   Guarded by tests/web/browser/test_play.py and test_keyboard.py. */

import { place, squareName } from "./squares.js";

const SVG = "http://www.w3.org/2000/svg";
const HOP_MILLISECONDS = 170;
const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const element = (tag, className, parent) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  parent?.append(made);
  return made;
};

const drawn = (tag, attributes, parent) => {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent.append(made);
  return made;
};

const stillPlease = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * A board in the element `root`. `shape`: size, holes (a Set of names) and goals ({x, o}, each a Set of names).
 * `onSquare(name)` is called for a tap or Enter, `onEscape()` for Escape.
 */
export class Board {
  constructor(root, { onSquare, onEscape }) {
    this.root = root;
    this.onSquare = onSquare;
    this.cells = new Map();
    this.shape = null;
    this.flipped = false;
    this.focused = null;
    this.moving = null;
    root.addEventListener("click", (event) => {
      const cell = event.target.closest(".cell[data-square]");
      if (!cell) return;
      this.#rove(cell.dataset.square);
      onSquare(cell.dataset.square);
    });
    root.addEventListener("keydown", (event) => this.#key(event, onEscape));
  }

  /** Build the squares of a board, when another one or the other way round than before. */
  build(shape, flipped, name) {
    const key = JSON.stringify([shape.key, flipped]);
    if (key === this.key) {
      this.grid.setAttribute("aria-label", name);
      return;
    }
    this.key = key;
    this.shape = shape;
    this.flipped = flipped;
    this.cells.clear();
    const { size } = shape;
    const hadFocus = this.root.contains(document.activeElement);
    this.root.replaceChildren();
    this.root.style.setProperty("--size", size);
    this.root.classList.toggle("socketed", shape.holes.size > 0);
    const ranks = element("div", "ranks", this.root);
    const area = element("div", "area", this.root);
    const files = element("div", "files", this.root);
    ranks.setAttribute("aria-hidden", "true");
    files.setAttribute("aria-hidden", "true");
    this.grid = element("div", "grid", area);
    this.grid.setAttribute("role", "grid");
    this.grid.setAttribute("aria-label", name);
    for (let y = 0; y < size; y++) {
      const row = element("div", "row", this.grid);
      row.setAttribute("role", "row");
      for (let x = 0; x < size; x++) row.append(this.#cell(this.#at(x, y)));
      element("span", "", ranks).textContent = place(this.#at(0, y))[1] + 1;
      element("span", "", files).textContent = this.#at(y, 0)[0];
    }
    this.overlay = drawn("svg", { class: "overlay", viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" }, area);
    const kept = this.cells.has(this.focused) ? this.focused : [...this.cells.keys()].at(-1);
    this.#rove(kept);
    if (hadFocus) this.cells.get(kept).focus();
  }

  /**
   * Show a view: `men` (a Map of names to sides), `marks` (a Map of names to "land", "through" or "hint"), `chosen` and
   * `start` (names or null), `last` (the squares of the last move), `arrows` (lists of squares, best first),
   * `can(name)` and `label(name)`.
   */
  show(view) {
    for (const [name, cell] of this.cells) {
      const side = view.men.get(name);
      const mark = view.marks.get(name);
      const state = `${side ?? ""} ${mark ?? ""}`;
      if (cell.dataset.state !== state) {
        cell.dataset.state = state;
        cell.replaceChildren();
        if (side) element("span", `man ${side}`, cell);
        if (mark) element("span", `mark ${mark}`, cell);
      }
      cell.classList.toggle("last", name === view.last[0] || name === view.last.at(-1));
      cell.classList.toggle("chosen", name === view.chosen);
      cell.classList.toggle("start", name === view.start);
      cell.classList.toggle("can", view.can(name));
      cell.setAttribute("aria-label", view.label(name));
      cell.setAttribute("aria-selected", String(name === view.chosen));
    }
    this.overlay.replaceChildren();
    this.#way(view.last);
    view.arrows.map((squares, index) => [squares, index + 1]).reverse().forEach((arrow) => this.#arrow(...arrow));
  }

  /** Let the man that stands at the end of `squares` come there hop by hop; at once where motion is not wanted. */
  async animate(squares) {
    this.moving?.cancel();
    const man = this.cells.get(squares.at(-1))?.querySelector(".man");
    if (!man || squares.length < 2 || stillPlease()) return;
    const cell = man.parentElement.getBoundingClientRect();
    const [endX, endY] = this.#centre(squares.at(-1));
    const shift = (name) => {
      const [x, y] = this.#centre(name);
      return `translate(${(x - endX) * cell.width}px, ${(y - endY) * cell.height}px)`;
    };
    const frames = [];
    squares.forEach((name, index) => {
      // Between two landings the man is lifted, so that the hops of a chain can be counted.
      if (index > 0) frames.push({ transform: `${shift(squares[index - 1])} scale(1)` });
      frames.push({ transform: `${shift(name)} scale(1.12)` });
    });
    frames.push({ transform: "none" });
    man.classList.add("moving");
    const duration = HOP_MILLISECONDS * (squares.length - 1);
    this.moving = man.animate(frames, { duration, easing: "ease-in-out" });
    // A cancelled animation is one that a newer one took the place of; in a tab that is out of sight none ever ends.
    const late = new Promise((go) => setTimeout(go, 2 * duration));
    await Promise.race([this.moving.finished.catch(() => {}), late]);
    man.classList.remove("moving");
  }

  /** Give the keyboard's focus to a square, by default the one that had it last. */
  focus(name = this.focused) {
    this.#rove(name);
    this.cells.get(name)?.focus({ preventScroll: true });
  }

  #at(x, y) {
    const { size } = this.shape;
    return this.flipped ? squareName(size - 1 - x, y) : squareName(x, size - 1 - y);
  }

  #centre(name) {
    const [file, rank] = place(name);
    const { size } = this.shape;
    return this.flipped ? [size - 0.5 - file, rank + 0.5] : [file + 0.5, size - 0.5 - rank];
  }

  #cell(name) {
    const cell = element("div", "cell");
    cell.setAttribute("role", "gridcell");
    const { holes, goals } = this.shape;
    if (holes.has(name)) {
      cell.classList.add("hole");
      cell.setAttribute("aria-hidden", "true");
      return cell;
    }
    const [file, rank] = place(name);
    cell.dataset.square = name;
    cell.classList.toggle("dark", (file + rank) % 2 === 0);
    cell.tabIndex = -1;
    for (const side of ["x", "o"]) {
      if (!goals[side].has(name)) continue;
      cell.classList.add(`goal-${side}`);
      const turn = this.flipped ? -1 : 1;
      const beside = { n: [0, turn], s: [0, -turn], e: [turn, 0], w: [-turn, 0] };
      for (const [edge, [right, up]] of Object.entries(beside)) {
        if (!goals[side].has(squareName(file + right, rank + up))) cell.classList.add(`edge-${edge}`);
      }
    }
    this.cells.set(name, cell);
    return cell;
  }

  #rove(name) {
    if (!this.cells.has(name)) return;
    const before = this.cells.get(this.focused);
    if (before) before.tabIndex = -1;
    this.focused = name;
    this.cells.get(name).tabIndex = 0;
  }

  #key(event, onEscape) {
    if (event.key === "Escape") {
      onEscape();
      return;
    }
    const name = event.target.dataset?.square;
    if (!name || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.onSquare(name);
      return;
    }
    const next = this.#after(name, event);
    if (!next) return;
    event.preventDefault();
    this.focus(next);
  }

  /** Where a key leads from a square: the next one that is no hole, in the direction that is seen. */
  #after(name, event) {
    const { size } = this.shape;
    const [cx, cy] = this.#centre(name);
    let [x, y] = [cx - 0.5, cy - 0.5];
    let step = STEPS[event.key];
    if (event.key === "Home" || event.key === "End") {
      step = event.key === "Home" ? [1, 0] : [-1, 0];
      x = event.key === "Home" ? -1 : size;
      if (event.ctrlKey) y = event.key === "Home" ? 0 : size - 1;
    }
    if (!step) return null;
    for (;;) {
      x += step[0];
      y += step[1];
      if (x < 0 || y < 0 || x >= size || y >= size) return null;
      const found = this.#at(x, y);
      if (this.cells.has(found)) return found;
    }
  }

  #way(squares) {
    if (squares.length < 2) return;
    const points = squares.map((name) => this.#centre(name));
    drawn("polyline", { class: "way", points: points.map(String).join(" ") }, this.overlay);
    for (const [cx, cy] of points.slice(0, -1)) drawn("circle", { class: "way-dot", cx, cy, r: 0.1 }, this.overlay);
  }

  #arrow(squares, rank) {
    if (squares.length < 2) return;
    const group = drawn("g", { opacity: Math.max(0.45, 1 - 0.14 * (rank - 1)) }, this.overlay);
    const points = squares.map((name) => this.#centre(name));
    const [[ax, ay], [bx, by]] = points.slice(-2);
    const length = Math.hypot(bx - ax, by - ay);
    const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
    const neck = [bx - 0.42 * ux, by - 0.42 * uy];
    const way = [...points.slice(0, -1), neck].map(String).join(" ");
    drawn("polyline", { class: `arrow rank-${rank}`, points: way }, group);
    const wings = [1, -1].map((turn) => [neck[0] + 0.24 * turn * uy, neck[1] - 0.24 * turn * ux]);
    drawn("polygon", { class: "arrow-head", points: `${wings[0]} ${bx},${by} ${wings[1]}` }, group);
    // On the last hop, since lines that begin with the same man part there.
    const [x, y] = [(ax + neck[0]) / 2, (ay + neck[1]) / 2];
    drawn("circle", { class: "arrow-badge", cx: x, cy: y, r: 0.25 }, group);
    drawn("text", { class: "arrow-number", x, y }, group).textContent = rank;
  }
}
