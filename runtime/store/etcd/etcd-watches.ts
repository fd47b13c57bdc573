import type { Clock } from "../../lib/clock.ts";
import { CompactedError, StoreError, UnavailableError } from "../errors.ts";
import type { StoreEntry, StoreEvent, StoreWatch, WatchReceiver, WatchRequest } from "../store.ts";
import type { EtcdConnection, WatchCall } from "./etcd-connection.ts";
import { keyRange } from "./key-range.ts";
import type { KeyValue, WatchResponse } from "./messages.ts";

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2000;
const DELETE = 1;
/** The watch id of an answer that concerns every watch of the stream. */
const EVERY_WATCH = -1;
const NO_BYTES = new Uint8Array();

interface OpenWatch {
  readonly request: WatchRequest;
  readonly receiver: WatchReceiver;
  /** The first revision not yet reported; where the watch goes on after a reconnect. */
  next: number;
  /** The server has confirmed the watch on the present stream. */
  created: boolean;
  /** Events of an answer that arrives in pieces. */
  pieces: StoreEvent[];
}

/**
 * All watches of a store over one stream. When the stream breaks it is opened again, with back-off and on another
 * member, and every watch goes on from the revision it had reached: nothing is lost and nothing comes twice.
 */
export class EtcdWatches {
  readonly #connection: EtcdConnection;
  readonly #clock: Clock;
  readonly #watches = new Map<number, OpenWatch>();
  #lastId = 0;
  #call: WatchCall | undefined;
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry: (() => void) | undefined;
  #closed = false;

  constructor(connection: EtcdConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  open(request: WatchRequest, receiver: WatchReceiver): StoreWatch {
    const id = ++this.#lastId;
    const watch: OpenWatch = { request, receiver, next: request.startRevision, created: false, pieces: [] };
    this.#watches.set(id, watch);
    if (this.#call !== undefined) this.#create(id, watch, this.#call);
    else if (this.#cancelRetry === undefined) this.#connect();
    return {
      close: () => {
        if (this.#watches.delete(id)) this.#call?.write({ cancel: { watch_id: id } });
      },
    };
  }

  requestProgress(): void {
    this.#call?.write({ progress: {} });
  }

  close(): void {
    this.#closed = true;
    this.#cancelRetry?.();
    this.#call?.cancel();
    for (const id of [...this.#watches.keys()]) this.#fail(id, new StoreError("Closed", "the store was closed"));
  }

  #connect(): void {
    this.#cancelRetry = undefined;
    const { call, leave } = this.#connection.openWatch();
    this.#call = call;
    call.on("data", (response: WatchResponse) => {
      if (this.#call === call) this.#receive(response);
    });
    const broken = (): void => {
      if (this.#call !== call) return;
      leave();
      this.#reconnect();
    };
    call.on("error", broken);
    call.on("end", broken);
    for (const [id, watch] of this.#watches) this.#create(id, watch, call);
  }

  #reconnect(): void {
    this.#call = undefined;
    if (this.#closed) return;
    this.#cancelRetry = this.#clock.after(this.#retryMs, () => this.#connect());
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  #create(id: number, watch: OpenWatch, call: WatchCall): void {
    watch.created = false;
    watch.pieces = [];
    call.write({
      create: {
        ...keyRange(watch.request.prefix),
        start_revision: watch.next,
        prev_kv: watch.request.previous ?? false,
        watch_id: id,
        fragment: true,
      },
    });
  }

  #receive(response: WatchResponse): void {
    this.#retryMs = FIRST_RETRY_MS;
    const { revision } = response.header;
    if (response.watch_id === EVERY_WATCH && !response.canceled) {
      for (const watch of this.#watches.values()) if (watch.created) this.#progress(watch, revision);
      return;
    }
    const watch = this.#watches.get(response.watch_id);
    if (watch === undefined) return;
    if (response.canceled) this.#cancelled(response);
    else if (response.created) watch.created = true;
    else if (response.events.length === 0 && !response.fragment) this.#progress(watch, revision);
    else this.#changed(watch, response);
  }

  #changed(watch: OpenWatch, response: WatchResponse): void {
    for (const { type, kv, prev_kv } of response.events) {
      if (kv.mod_revision >= watch.next) watch.pieces.push(eventOf(type, kv, prev_kv));
    }
    if (response.fragment) return;
    const events = watch.pieces;
    watch.pieces = [];
    const last = events.at(-1);
    if (last === undefined) return;
    // The header may be ahead of a watch that is still catching up: only the events say how far it is.
    watch.next = last.revision + 1;
    watch.receiver.changed(events, last.revision);
  }

  #progress(watch: OpenWatch, revision: number): void {
    watch.next = Math.max(watch.next, revision + 1);
    watch.receiver.progress(revision);
  }

  #cancelled({ watch_id, compact_revision, cancel_reason }: WatchResponse): void {
    const error =
      compact_revision > 0 || cancel_reason.includes("compacted")
        ? new CompactedError(compact_revision)
        : new UnavailableError(`etcd ended the watch: ${cancel_reason}`);
    this.#fail(watch_id, error);
  }

  #fail(id: number, error: StoreError): void {
    const watch = this.#watches.get(id);
    this.#watches.delete(id);
    watch?.receiver.failed(error);
  }
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
