/* Squares by name ("e5") and by place, and what of a chain of hops the page itself has to know.
   Invariant: pure functions; nothing here decides whether a move is legal, which is the server's to say.
   Guarded by tests/web/browser/test_play.py. */

const FILES = "abcdefghijklmnop";

/** The name of a square, from a file and a rank counted from 0. */
export const squareName = (file, rank) => FILES[file] + (rank + 1);

/** File and rank of a square, counted from 0. */
export const place = (name) => [FILES.indexOf(name[0]), Number(name.slice(1)) - 1];

/** The squares of a move's text, "h1-f3-f5"; none for a pass. */
export const squaresOf = (text) => (text === "pass" ? [] : text.split("-"));

/** The men of a position string: a Map of a square's name to "x" or "o"; and its holes. */
export function readPlacement(fen) {
  const men = new Map();
  const holes = new Set();
  const ranks = fen.split(" ")[0].split("/");
  ranks.forEach((text, index) => {
    const rank = ranks.length - 1 - index;
    let file = 0;
    for (const [word] of text.matchAll(/\d+|[xo-]/g)) {
      if (word === "-") holes.add(squareName(file, rank));
      else if (word === "x" || word === "o") men.set(squareName(file, rank), word);
      file += /\d/.test(word) ? Number(word) : 1;
    }
  });
  return { men, holes, size: ranks.length };
}
