import type { Clock } from "../../lib/clock.ts";
import { CompactedError, type StoreError, UnavailableError } from "../errors.ts";
import type { StoreEntry, StoreEvent, StoreWatch, WatchReceiver, WatchRequest } from "../store.ts";
import type { EtcdConnection, WatchCall } from "./etcd-connection.ts";
import { keyRange } from "./key-range.ts";
import type { KeyValue, WatchResponse } from "./messages.ts";

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2000;
const DELETE = 1;
const NO_BYTES = new Uint8Array();

/**
 * A watch over a stream of its own. When the stream breaks it is opened again, with back-off and on another member, and
 * the watch goes on from the revision it had reached: nothing is lost and nothing comes twice.
 *
 * Why not one stream for all: etcd reports the progress of a whole stream, and may report, after it confirmed a watch,
 * progress from before the watch was created. A watch that is still catching up would take that for its own and miss
 * the events it skips. Here progress is requested only once the watch is confirmed, and trusted only if it was
 * requested, so that it is always that of this watch.
 */
export class EtcdWatch implements StoreWatch {
  readonly #connection: EtcdConnection;
  readonly #clock: Clock;
  readonly #request: WatchRequest;
  readonly #receiver: WatchReceiver;
  readonly #onEnd: (watch: EtcdWatch) => void;
  /** The first revision not yet reported; where the watch goes on after a reconnect. */
  #next: number;
  #call: WatchCall | undefined;
  /** The server has confirmed the watch on the present stream. */
  #created = false;
  /** Progress was requested on the present stream. */
  #asked = false;
  /** The receiver waits for a progress notification. */
  #wantsProgress = false;
  /** Events of a response that arrives in fragments. */
  #pieces: StoreEvent[] = [];
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry: (() => void) | undefined;
  #ended = false;

  constructor(
    connection: EtcdConnection,
    clock: Clock,
    request: WatchRequest,
    receiver: WatchReceiver,
    onEnd: (watch: EtcdWatch) => void,
  ) {
    this.#connection = connection;
    this.#clock = clock;
    this.#request = request;
    this.#receiver = receiver;
    this.#onEnd = onEnd;
    this.#next = request.startRevision;
    this.#connect();
  }

  requestProgress(): void {
    this.#wantsProgress = true;
    if (this.#created) this.#askForProgress();
  }

  close(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelRetry?.();
    this.#call?.cancel();
    this.#call = undefined;
    this.#onEnd(this);
  }

  fail(error: StoreError): void {
    if (this.#ended) return;
    this.close();
    this.#receiver.failed(error);
  }

  #connect(): void {
    const { call, leave } = this.#connection.openWatch();
    this.#call = call;
    call.on("data", (response: WatchResponse) => {
      if (this.#call !== call) return;
      try {
        this.#receive(response);
      } catch (cause) {
        // The receiver failed, or the response of etcd is invalid.
        this.fail(new UnavailableError("the watch failed", { cause }));
      }
    });
    const broken = (): void => {
      if (this.#call !== call) return;
      leave();
      this.#reconnect();
    };
    call.on("error", broken);
    call.on("end", broken);
    const { prefix, previous = false } = this.#request;
    call.write({ create: { ...keyRange(prefix), start_revision: this.#next, prev_kv: previous, fragment: true } });
  }

  #reconnect(): void {
    this.#call = undefined;
    this.#created = false;
    this.#asked = false;
    this.#pieces = [];
    this.#cancelRetry = this.#clock.after(this.#retryMs, () => this.#connect());
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  #receive(response: WatchResponse): void {
    this.#retryMs = FIRST_RETRY_MS;
    if (response.canceled) this.fail(reasonOf(response));
    else if (response.created) this.#confirmed();
    else if (response.events.length === 0 && !response.fragment) this.#progress(response.header.revision);
    else this.#changed(response);
  }

  #confirmed(): void {
    this.#created = true;
    if (this.#wantsProgress) this.#askForProgress();
  }

  #askForProgress(): void {
    this.#asked = true;
    this.#call?.write({ progress: {} });
  }

  #changed(response: WatchResponse): void {
    for (const { type, kv, prev_kv } of response.events) {
      if (kv.mod_revision >= this.#next) this.#pieces.push(eventOf(type, kv, prev_kv));
    }
    if (response.fragment) return;
    const events = this.#pieces;
    this.#pieces = [];
    const last = events.at(-1);
    if (last === undefined) return;
    // The header may be ahead of a watch that is still catching up: only the events show its progress.
    this.#next = last.revision + 1;
    this.#receiver.changed(events, last.revision);
  }

  #progress(revision: number): void {
    // After a reconnect, the member may be one that lags behind what was reported already.
    if (!this.#asked || revision < this.#next - 1) return;
    this.#next = revision + 1;
    this.#wantsProgress = false;
    this.#receiver.progress(revision);
  }
}

function reasonOf({ compact_revision, cancel_reason }: WatchResponse): StoreError {
  return compact_revision > 0 || cancel_reason.includes("compacted")
    ? new CompactedError(compact_revision)
    : new UnavailableError(`etcd ended the watch: ${cancel_reason}`);
}

function eventOf(type: number, kv: KeyValue, previous: KeyValue | null): StoreEvent {
  return {
    type: type === DELETE ? "delete" : "put",
    key: kv.key.toString(),
    value: type === DELETE ? NO_BYTES : kv.value,
    revision: kv.mod_revision,
    createRevision: kv.create_revision,
    ...(previous && { previous: entryOf(previous) }),
  };
}

export function entryOf(kv: KeyValue): StoreEntry {
  return {
    key: kv.key.toString(),
    value: kv.value,
    createRevision: kv.create_revision,
    modRevision: kv.mod_revision,
  };
}
