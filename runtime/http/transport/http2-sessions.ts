import { constants, type Http2Session, type ServerHttp2Stream } from "node:http2";
import type { CloseReason, ConnectionLimits } from "./connection-limits.ts";

const { NGHTTP2_CANCEL } = constants;

interface OpenStream {
  readonly since: number;
  /** Whether the whole request has arrived. */
  received: boolean;
  /** Bytes that wait to be sent, and since when their number has not changed. */
  waiting: number;
  waitingSince: number;
  /** Whether the stream has already been reset. */
  closing: boolean;
}

/** Watches the streams of one HTTP/2 connection. Node has no timeouts for its peer. */
export class SessionWatch {
  readonly #session: Http2Session;
  readonly #streams = new Map<ServerHttp2Stream, OpenStream>();
  readonly #monotonic: () => number;
  #idleSince: number;
  #hadRequests = false;

  constructor(session: Http2Session, monotonic: () => number) {
    this.#session = session;
    this.#monotonic = monotonic;
    this.#idleSince = monotonic();
    const watch = this;
    function closed(this: ServerHttp2Stream): void {
      watch.#streams.delete(this);
      if (watch.#streams.size === 0) watch.#idleSince = monotonic();
    }
    session.on("stream", (stream: ServerHttp2Stream) => {
      this.#hadRequests = true;
      const since = this.#monotonic();
      this.#streams.set(stream, {
        since,
        received: stream.endAfterHeaders,
        waiting: 0,
        waitingSince: 0,
        closing: false,
      });
      stream.on("close", closed);
    });
  }

  get isIdle(): boolean {
    return this.#streams.size === 0;
  }

  get hadRequests(): boolean {
    return this.#hadRequests;
  }

  /** Closes streams that take too long. Returns the reason if the whole connection must be closed, otherwise undefined. */
  check(limits: ConnectionLimits): CloseReason | undefined {
    const now = this.#monotonic();
    if (this.#streams.size === 0) {
      const limit = this.#hadRequests ? limits.idleTimeoutMs : limits.headersTimeoutMs;
      if (now - this.#idleSince < limit) return undefined;
      return this.#hadRequests ? "idle" : "headers_timeout";
    }
    for (const [stream, state] of this.#streams) {
      const reason = overdue(stream, state, now, limits);
      if (reason === undefined) continue;
      // The stream was reset before and is still open: the peer does not read.
      if (state.closing) return reason;
      state.closing = true;
      stream.close(NGHTTP2_CANCEL);
    }
    return undefined;
  }

  /** Notifies the peer, then closes the connection. */
  end(): void {
    this.#session.destroy();
  }
}

function overdue(
  stream: ServerHttp2Stream,
  state: OpenStream,
  now: number,
  limits: ConnectionLimits,
): CloseReason | undefined {
  const waiting = stream.bufferSize;
  if (waiting !== state.waiting || waiting === 0) {
    state.waiting = waiting;
    state.waitingSince = now;
  } else if (now - state.waitingSince >= limits.progressTimeoutMs) {
    return "no_progress";
  }
  if (state.received || now - state.since < limits.requestTimeoutMs) return undefined;
  state.received = stream.state.remoteClose === 1;
  return state.received ? undefined : "request_timeout";
}
