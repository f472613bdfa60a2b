/* Questions to the server that have one answer, and its refusals as errors with a code.
   Invariant: an answer is either the body of a 2xx or an ApiError. Guarded by tests/web/browser/test_wrong.py. */

/** A refusal: `code` chooses the translated line, `message` is the server's own, in English. */
export class ApiError extends Error {
  constructor(code, message = "") {
    super(message);
    this.code = code;
  }
}

const read = async (answer) => {
  const body = await answer.json().catch(() => null);
  if (answer.ok && body) return body;
  throw new ApiError(body?.error?.code ?? "internal", body?.error?.message ?? String(answer.status));
};

const reach = (path, options) =>
  fetch(path, options).catch(() => {
    throw new ApiError("network");
  });

/** The answer to a GET. */
export const get = async (path) => read(await reach(path));

const JSON_HEADERS = { "Content-Type": "application/json" };

/** The answer to a POST of this object. */
export const post = async (path, body) =>
  read(await reach(path, { method: "POST", headers: JSON_HEADERS, body: JSON.stringify(body) }));

/** The view after `moves`, with the finished rounds of Pulce before them. */
export const askView = (setup, moves = [], earlier = []) =>
  post("/api/game", { setup, moves, ...(earlier.length ? { earlier } : {}) });
