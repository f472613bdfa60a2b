/* Squares by name ("e5") and by place.
   Invariant: pure functions; nothing here decides whether a move is legal, which is the server's to say.
   Guarded by tests/web/browser/test_play.py. */

const FILES = "abcdefghijklmnop";

/** The name of a square, from a file and a rank counted from 0. */
export const squareName = (file, rank) => FILES[file] + (rank + 1);

/** File and rank of a square, counted from 0. */
export const place = (name) => [FILES.indexOf(name[0]), Number(name.slice(1)) - 1];
