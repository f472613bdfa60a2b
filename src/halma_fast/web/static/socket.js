/* A WebSocket that comes back by itself: waits 0.5 s after a loss, twice as long after each further one, at most 10 s.
   Invariant: `send` says whether the text went out; what was not acknowledged the owner sends again after `onOpen`.
   Guarded by tests/web/browser/test_room.py. */

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
const PING_MILLISECONDS = 20_000;
const GONE = 4404;

/** `onState` is told "connecting", "open", "lost" or "closed"; `onMessage` gets parsed messages except pongs. */
export class Socket {
  constructor(path, { onOpen, onMessage, onState }) {
    this.path = path;
    this.handlers = { onOpen, onMessage, onState };
    this.wait = FIRST_WAIT;
    this.ended = false;
    this.now = () => this.#connect();
    addEventListener("online", this.now);
    this.pinger = setInterval(() => this.send({ type: "ping" }), PING_MILLISECONDS);
    this.#connect();
  }

  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.ended = true;
    clearTimeout(this.timer);
    clearInterval(this.pinger);
    removeEventListener("online", this.now);
    this.socket?.close();
  }

  #connect() {
    if (this.ended || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    clearTimeout(this.timer);
    const { onOpen, onMessage, onState } = this.handlers;
    onState("connecting");
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${this.path}`);
    this.socket = socket;
    socket.onopen = () => {
      onState("open");
      onOpen();
    };
    socket.onmessage = ({ data }) => {
      // Only a server that talks has come back; one that takes connections and drops them is waited for longer.
      this.wait = FIRST_WAIT;
      const message = JSON.parse(data);
      if (message.type !== "pong" && !this.ended) onMessage(message);
    };
    socket.onclose = ({ code }) => {
      if (this.ended || this.socket !== socket) return;
      if (code === GONE) {
        this.close();
        onState("closed");
        return;
      }
      onState("lost");
      this.timer = setTimeout(() => this.#connect(), this.wait);
      this.wait = Math.min(LONGEST_WAIT, 2 * this.wait);
    };
  }
}
