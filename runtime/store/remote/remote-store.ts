import { type Channel, ChannelError, type ChannelMessage } from "../../lib/channel.ts";
import { StoreError, UnavailableError } from "../errors.ts";
import type {
  PutOptions,
  PutResult,
  RangeRequest,
  RangeResult,
  Store,
  StoreEntry,
  StoreEvent,
  StoreWatch,
  WatchReceiver,
  WatchRequest,
} from "../store.ts";
import { decodeStoreError } from "./error-data.ts";
import type { SharedRevision } from "./shared-revision.ts";
import type { EntryData, EventData } from "./store-service.ts";

/** Entries of the first page of a range. The size of later pages depends on the size of the entries read. */
const FIRST_PAGE = 200;
const LAST_PAGE = 1000;
const PAGE_BYTES = 4 * 1024 * 1024;

export interface RemoteStoreOptions {
  /** Channel to the process that owns the store. Its errors are decoded with `decodeStoreError`. */
  readonly channel: Channel;
  readonly shared: SharedRevision;
  readonly identity: Uint8Array;
  /** Called before the shared revision is used. It must throw if the writer of that revision is gone, because the revision is then meaningless. */
  readonly checkWriter: () => void;
}

interface OpenWatch {
  readonly receiver: WatchReceiver;
  /** Whether its history has been reported. From then on, the watch is complete up to the revision of the channel. */
  isLive: boolean;
}

/**
 * An embedded store in another process, the owner. Reads and writes are calls; events arrive in the order of the store. No call is needed
 * to find out whether all events have arrived: the shared revision is the last one that may have been acknowledged, and the channel reports
 * the last one that has arrived.
 */
export class RemoteStore implements Store {
  readonly tellsProgress = true;
  readonly identity: Uint8Array;
  readonly #options: RemoteStoreOptions;
  readonly #watches = new Map<number, OpenWatch>();
  /** Watches that have requested progress. They are notified when the present revision has arrived. */
  readonly #asking = new Set<OpenWatch>();
  readonly #waiting: { readonly revision: number; readonly resolve: () => void }[] = [];
  #lastWatch = 0;
  /** Number of watches whose history has not been reported yet. */
  #pending = 0;
  /** All changes up to this revision have arrived. */
  #received = 0;
  /** Whether the owner was asked for the present revision and has not responded. */
  #hasAsked = false;
  #closed = false;

  constructor(options: RemoteStoreOptions) {
    this.#options = options;
    this.identity = options.identity;
    const { channel } = options;
    channel.listen("revision", ({ data }) => this.#advance(data as number));
    channel.listen("events", ({ data, bytes }) => {
      const [id, revision, events] = data as [number, number, readonly EventData[]];
      this.#watches.get(id)?.receiver.changed(readEvents(events, bytes), revision);
    });
    channel.listen("live", ({ data }) => {
      const [id, revision] = data as [number, number];
      const watch = this.#watches.get(id);
      if (watch === undefined) return;
      watch.isLive = true;
      this.#pending -= 1;
      watch.receiver.progress(revision);
    });
    channel.listen("failed", ({ data }) => {
      const [id, error] = data as [number, unknown];
      this.#forget(id)?.receiver.failed(decodeStoreError(error));
    });
  }

  /** Whether all watches have now received every change that was acknowledged to any client. */
  get watchesAreImmediate(): boolean {
    return this.#pending === 0 && !this.#isBehind(this.#current());
  }

  /** Resolves once all changes that were acknowledged before the call have arrived. Returns undefined if they already have. */
  catchUp(): Promise<void> | undefined {
    const revision = this.#current();
    if (!this.#isBehind(revision)) return undefined;
    return new Promise((resolve) => void this.#waiting.push({ revision, resolve }));
  }

  async currentRevision(): Promise<number> {
    this.#checkOpen();
    return this.#current();
  }

  /** Rejects if the owner does not respond. */
  async ping(): Promise<void> {
    await this.#call(false, "ping", null);
  }

  async get(key: string, options?: { atRevision?: number }): Promise<StoreEntry | undefined> {
    const { data, bytes } = await this.#call(false, "get", [key, options?.atRevision ?? null]);
    return data === null ? undefined : readEntry(data as EntryData, bytes[0]);
  }

  async range(request: RangeRequest): Promise<RangeResult> {
    const { prefix, limit = Number.POSITIVE_INFINITY } = request;
    const first = await this.#page({ ...request, limit: Math.min(limit, FIRST_PAGE) });
    const entries = [...first.entries];
    let { more } = first;
    let bytes = sizeOf(first.entries);
    while (more && entries.length < limit) {
      const startAfter = entries.at(-1)?.key;
      if (startAfter === undefined) break;
      const fitting = Math.floor((PAGE_BYTES * entries.length) / Math.max(1, bytes));
      const page = Math.min(limit - entries.length, Math.max(1, Math.min(LAST_PAGE, fitting)));
      const next = await this.#page({ prefix, startAfter, limit: page, atRevision: first.revision });
      for (const entry of next.entries) entries.push(entry);
      bytes += sizeOf(next.entries);
      more = next.more;
    }
    return { ...first, entries, more };
  }

  async put(key: string, value: Uint8Array, { expected, ttlSeconds = undefined }: PutOptions): Promise<PutResult> {
    const { data } = await this.#call(true, "put", [key, expected, ttlSeconds ?? null], [value]);
    return { revision: data as number };
  }

  async delete(key: string, { expected }: { expected: number }): Promise<PutResult> {
    const { data } = await this.#call(true, "delete", [key, expected]);
    return { revision: data as number };
  }

  watch(request: WatchRequest, receiver: WatchReceiver): StoreWatch {
    this.#checkOpen();
    const { channel } = this.#options;
    const id = ++this.#lastWatch;
    const watch: OpenWatch = { receiver, isLive: false };
    this.#watches.set(id, watch);
    this.#pending += 1;
    channel.notify("watch", [id, request]);
    return {
      requestProgress: () => {
        if (!watch.isLive || !this.#watches.has(id)) return;
        receiver.progress(this.#received);
        if (this.#isBehind(this.#current())) this.#asking.add(watch);
      },
      close: () => {
        if (this.#forget(id) !== undefined) channel.notify("unwatch", id);
      },
    };
  }

  async compact(revision: number): Promise<void> {
    await this.#call(true, "compact", revision);
  }

  async diskUse(): ReturnType<Store["diskUse"]> {
    return (await this.#call(false, "diskUse", null)).data as Awaited<ReturnType<Store["diskUse"]>>;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const id of [...this.#watches.keys()])
      this.#forget(id)?.receiver.failed(new StoreError("Closed", "the store was closed"));
    this.#options.channel.end();
  }

  #current(): number {
    this.#options.checkWriter();
    return this.#options.shared.read();
  }

  /**
   * Whether changes up to `revision` are still missing. If so, asks the owner to send the revision at once; otherwise the owner may skip
   * revisions that concern no watch of this process.
   */
  #isBehind(revision: number): boolean {
    if (revision <= this.#received) return false;
    if (!this.#hasAsked) this.#options.channel.notify("ask", null);
    this.#hasAsked = true;
    return true;
  }

  #advance(revision: number): void {
    this.#received = revision;
    this.#hasAsked = false;
    const asking = [...this.#asking];
    this.#asking.clear();
    for (const { receiver } of asking) receiver.progress(revision);
    while (this.#waiting[0] !== undefined && this.#waiting[0].revision <= revision) this.#waiting.shift()?.resolve();
  }

  #forget(id: number): OpenWatch | undefined {
    const watch = this.#watches.get(id);
    if (watch === undefined) return undefined;
    this.#watches.delete(id);
    this.#asking.delete(watch);
    if (!watch.isLive) this.#pending -= 1;
    return watch;
  }

  async #page(request: RangeRequest): Promise<RangeResult> {
    const { data, bytes } = await this.#call(false, "range", request);
    const { entries, ...rest } = data as Omit<RangeResult, "entries"> & { readonly entries: readonly EntryData[] };
    return { ...rest, entries: entries.map((entry, index) => readEntry(entry, bytes[index])) };
  }

  async #call(isWrite: boolean, name: string, data: unknown, bytes?: readonly Uint8Array[]): Promise<ChannelMessage> {
    this.#checkOpen();
    try {
      return await this.#options.channel.call(name, data, bytes);
    } catch (cause) {
      if (!(cause instanceof ChannelError)) throw cause;
      this.#checkOpen();
      throw new UnavailableError(`the process of the store: ${cause.message}`, { cause, maybeApplied: isWrite });
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw new StoreError("Closed", "the store is closed");
  }
}

const NO_BYTES = new Uint8Array();

function readEntry([key, createRevision, modRevision]: EntryData, value: Uint8Array = NO_BYTES): StoreEntry {
  return { key, value, createRevision, modRevision };
}

function readEvents(events: readonly EventData[], bytes: readonly Uint8Array[]): readonly StoreEvent[] {
  let next = 0;
  return events.map(([isDeletion, key, revision, createRevision, previous]) => {
    const value = bytes[next++] ?? NO_BYTES;
    const event = { type: isDeletion ? "delete" : "put", key, value, revision, createRevision } as const;
    return previous === undefined ? event : { ...event, previous: readEntry(previous, bytes[next++]) };
  });
}

function sizeOf(entries: readonly StoreEntry[]): number {
  return entries.reduce((sum, { value }) => sum + value.length, 0);
}
