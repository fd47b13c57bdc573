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
 * A watch over a stream of its own. If the stream breaks, it is reopened with backoff on another member, and the watch continues from the
 * revision that it had reached: no event is lost or duplicated.
 *
 * Watches do not share one stream, because etcd reports the progress of a whole stream. After it confirms a watch, it may report progress
 * from before the watch was created. A watch that is still catching up would mistake this progress for its own and miss the events that it
 * skips. Here progress is requested only once the watch is confirmed, and trusted only if it was requested, so that it is always the
 * progress of this watch.
 */
export class EtcdWatch implements StoreWatch {
  readonly #connection: EtcdConnection;
  readonly #clock: Clock;
  readonly #request: WatchRequest;
  readonly #receiver: WatchReceiver;
  readonly #onEnd: (watch: EtcdWatch) => void;
  /** The first revision that is not yet reported. The watch continues from it after a reconnect. */
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
        // The receiver threw an error, or the response of etcd is invalid.
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
    // The header may be ahead of a watch that is still catching up: only its events show how far it is.
    this.#next = last.revision + 1;
    this.#receiver.changed(events, last.revision);
  }

  #progress(revision: number): void {
    // After a reconnect, the member may lag behind the revision that was already reported.
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
