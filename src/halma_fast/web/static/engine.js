/* The engine, as jobs that are asked for over one socket, one at a time.
   Invariant: a job that another took the place of says so and is silent from then on.
   Guarded by tests/web/browser/test_analysis.py. */

import { ApiError } from "./api.js";
import { Socket } from "./socket.js";

let socket = null;
let job = null;
let lastId = 0;

const ask = () => socket.send({ ...job.question, id: job.id });

const hear = (message) => {
  if (!job || message.id !== job.id) return;
  if (message.type === "done" || message.type === "error") {
    const ended = job;
    job = null;
    if (message.type === "done") ended.resolve(message);
    else ended.reject(new ApiError(message.code, message.message));
  } else {
    job.onNews(message);
  }
};

const leave = () => {
  job?.onNews({ type: "left" });
  job = null;
};

const open = () => {
  // After a lost connection the job is asked for again: the server ended it with the old one.
  socket = new Socket("/ws/engine", { onOpen: () => job && ask(), onMessage: hear, onState: () => {} });
};

/**
 * Ask for a job; resolves with its `done`. `onNews` gets "queued", "started" and "info", and "left" as the
 * last if another job takes its place.
 */
export function engineJob(question, onNews = () => {}) {
  return new Promise((resolve, reject) => {
    leave();
    job = { question, id: ++lastId, resolve, reject, onNews };
    if (socket) ask();
    else open();
  });
}

/** End the job; unless `silent`, with what it has found so far. */
export function stopJob({ silent = false } = {}) {
  if (!job) return;
  socket.send({ type: "stop", id: job.id });
  if (silent) leave();
}
