import type { Channel, ChannelMessage } from "../../lib/channel.ts";
import type { EmbeddedStore } from "../embedded/embedded-store.ts";
import type { RangeRequest, StoreEntry, StoreEvent, StoreWatch, WatchReceiver, WatchRequest } from "../store.ts";
import { encodeStoreError } from "./error-data.ts";
import type { SharedRevision } from "./shared-revision.ts";

/** Key, createRevision and modRevision. The value is in the bytes of the message. */
export type EntryData = readonly [key: string, createRevision: number, modRevision: number];

/** A change. Its values are in the bytes of the message: the new value, then the previous one if present. */
export type EventData = readonly [
  isDeletion: 0 | 1,
  key: string,
  revision: number,
  createRevision: number,
  previous?: EntryData,
];

/** Maximum bytes of one response of `range`. The caller requests the rest with further calls. */
const RANGE_BYTES = 8 * 1024 * 1024;
/**
 * After a process has asked for the revision, it is sent every revision for this time, because it has readers. Other processes are not
 * woken up needlessly.
 */
const READERS_MS = 1000;
/** A process with more unread bytes than this counts as stuck. */
const MAX_QUEUED_BYTES = 256 * 1024 * 1024;

export interface StoreServiceOptions {
  readonly shared: SharedRevision;
  /** Called if the shared revision cannot be written. Processes that read it must then end at once. */
  readonly onFailure: (error: unknown) => void;
  readonly maxQueuedBytes?: number;
}

interface Session {
  readonly channel: Channel;
  readonly watches: Map<number, StoreWatch>;
  readonly onStuck: () => void;
  /** Time of the last request for the revision. */
  askedAt: number;
  /** Whether anything of the present commit was sent to it. */
  isAwake: boolean;
}

/**
 * Offers an embedded store to other processes of this program. For each commit, the shared revision is written first; then each process is
 * sent the events of its watches and the revision; then the writers are notified. A process that has received the shared revision therefore
 * has all changes that were acknowledged to any writer, and a process that has not received it knows that it must wait. A process without
 * events and without readers is not sent the revision: it asks for it when it has readers again.
 */
export class StoreService {
  readonly #store: EmbeddedStore;
  readonly #sessions = new Set<Session>();
  readonly #maxQueuedBytes: number;

  constructor(store: EmbeddedStore, { shared, onFailure, maxQueuedBytes = MAX_QUEUED_BYTES }: StoreServiceOptions) {
    this.#store = store;
    this.#maxQueuedBytes = maxQueuedBytes;
    shared.write(store.publishedRevision);
    store.observe({
      publishing(revision) {
        try {
          shared.write(revision);
        } catch (error) {
          onFailure(error);
        }
      },
      published: (revision) => {
        const now = performance.now();
        for (const session of this.#sessions) {
          if (session.isAwake || now - session.askedAt < READERS_MS) this.#tell(session, "revision", revision);
          session.isAwake = false;
        }
      },
    });
  }

  /** Serves a process until `leave` is called. `onStuck` is called when the process does not read the data sent to it. */
  serve(channel: Channel, onStuck: () => void): { leave(): void } {
    const session: Session = { channel, watches: new Map(), onStuck, askedAt: 0, isAwake: false };
    this.#sessions.add(session);
    this.#answer(session);
    channel.notify("revision", this.#store.publishedRevision);
    return {
      leave: () => {
        this.#sessions.delete(session);
        for (const watch of session.watches.values()) watch.close();
        session.watches.clear();
      },
    };
  }

  #answer(session: Session): void {
    const { channel, watches } = session;
    const store = this.#store;
    channel.handle("get", async ({ data }) => {
      const [key, atRevision] = data as [string, number | null];
      const entry = await store.get(key, atRevision === null ? undefined : { atRevision });
      return entry === undefined ? { data: null, bytes: [] } : { data: entryData(entry), bytes: [entry.value] };
    });
    channel.handle("range", async ({ data }) => {
      await channel.drained();
      return this.#range(data as RangeRequest & { readonly limit: number });
    });
    channel.handle("put", async ({ data, bytes: [value = NO_BYTES] }) => {
      const [key, expected, ttlSeconds] = data as [string, number, number | null];
      const { revision } = await store.put(key, value, { expected, ...(ttlSeconds !== null && { ttlSeconds }) });
      return { data: revision, bytes: [] };
    });
    channel.handle("delete", async ({ data }) => {
      const [key, expected] = data as [string, number];
      return { data: (await store.delete(key, { expected })).revision, bytes: [] };
    });
    channel.handle("compact", async ({ data }) => {
      await store.compact(data as number);
      return NOTHING;
    });
    channel.handle("diskUse", async () => ({ data: await store.diskUse(), bytes: [] }));
    channel.handle("ping", async () => ({ data: await store.currentRevision(), bytes: [] }));
    channel.listen("ask", () => {
      session.askedAt = performance.now();
      this.#tell(session, "revision", store.publishedRevision);
    });
    channel.listen("watch", ({ data }) => {
      const [id, request] = data as [number, WatchRequest];
      this.#watch(session, id, request);
    });
    channel.listen("unwatch", ({ data }) => {
      watches.get(data as number)?.close();
      watches.delete(data as number);
    });
  }

  /** Returns fewer entries than requested if their values are large; `more` is then true. */
  async #range(request: RangeRequest & { readonly limit: number }): Promise<ChannelMessage> {
    const { entries, revision, more, count } = await this.#store.range(request);
    let size = 0;
    let fit = 0;
    for (const { value } of entries) {
      size += value.length;
      if (fit > 0 && size > RANGE_BYTES) break;
      fit += 1;
    }
    const sent = fit === entries.length ? entries : entries.slice(0, fit);
    const isCut = fit < entries.length;
    return {
      data: { entries: sent.map(entryData), revision, more: more || isCut, ...(count !== undefined && { count }) },
      bytes: sent.map(({ value }) => value),
    };
  }

  #watch(session: Session, id: number, request: WatchRequest): void {
    const { watches } = session;
    let isLive = false;
    let isAsking = false;
    // A watch that has reported its history responds to `requestProgress` synchronously; before that, it does not respond.
    const askWhetherLive = (): void => {
      if (isLive || isAsking) return;
      isAsking = true;
      watches.get(id)?.requestProgress();
      isAsking = false;
    };
    const receiver: WatchReceiver = {
      changed: (events, revision) => {
        const [data, bytes] = eventsData(events);
        this.#tell(session, "events", [id, revision, data], bytes);
        askWhetherLive();
      },
      progress: (revision) => {
        if (isAsking && !isLive) {
          isLive = true;
          this.#tell(session, "live", [id, revision]);
        } else {
          askWhetherLive();
        }
      },
      failed: (error) => {
        watches.delete(id);
        this.#tell(session, "failed", [id, encodeStoreError(error)]);
      },
    };
    try {
      watches.set(id, this.#store.watch(request, receiver));
    } catch (error) {
      receiver.failed(error as Error);
    }
  }

  #tell(session: Session, name: string, data: unknown, bytes?: readonly Uint8Array[]): void {
    const { channel, onStuck } = session;
    session.isAwake = true;
    channel.notify(name, data, bytes);
    if (channel.queuedBytes > this.#maxQueuedBytes) onStuck();
  }
}

const NO_BYTES = new Uint8Array();
const NOTHING: ChannelMessage = { data: null, bytes: [] };

function entryData({ key, createRevision, modRevision }: StoreEntry): EntryData {
  return [key, createRevision, modRevision];
}

function eventsData(events: readonly StoreEvent[]): [readonly EventData[], readonly Uint8Array[]] {
  const bytes: Uint8Array[] = [];
  const data = events.map(({ type, key, value, revision, createRevision, previous }): EventData => {
    const isDeletion = type === "delete" ? 1 : 0;
    bytes.push(value);
    if (previous === undefined) return [isDeletion, key, revision, createRevision];
    bytes.push(previous.value);
    return [isDeletion, key, revision, createRevision, entryData(previous)];
  });
  return [data, bytes];
}
