import type { Clock } from "../../lib/clock.ts";
import { ApiError, ConnectionError, isExpired } from "../api-error.ts";
import { follow, waitFor } from "../requester.ts";
import type { BookmarkEvent } from "../watch-events.ts";
import { type Backoff, createBackoff } from "./backoff.ts";
import type { FollowedObjects } from "./followed-objects.ts";
import type { KnownObject } from "./local-store.ts";
import type { InformerSource, SourceEvent } from "./source.ts";

export interface SourceReaderOptions<O extends KnownObject> {
  readonly source: InformerSource<O>;
  readonly objects: FollowedObjects<O>;
  readonly clock: Clock;
  /** At least 0 and below 1. */
  readonly random: () => number;
  /** A watch that is silent for this time is opened anew. */
  readonly idleTimeoutMs: number;
  /** Resolves when handlers have room for more events; undefined if they have. */
  readonly room: () => Promise<void> | undefined;
  /** Called when all objects were read. */
  readonly onSynced: () => void;
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly signal: AbortSignal;
}

/** A server that ignores `sendInitialEvents` never says that it has sent them all. */
const INITIAL_SILENCE_MS = 10_000;
const PAGE = 500;
/** Watches last between these, so that those of many clients do not end at once. */
const WATCH_SECONDS = { least: 300, most: 600 };
/** A watch that lasted this long was a success, though nothing happened. */
const STEADY_MS = 5_000;
/** After so many failures in a row that are due to what the server sent, everything is read again: what it sends after that may be better. */
const MOST_REFUSALS = 3;
const LONGEST_RETRY_SECONDS = 60;

/**
 * Keeps objects equal to those of a server: reads all of them once, by a streaming list or in pages, and then watches. After a lost
 * connection it continues at the version it had, and reads all objects again only if the server has forgotten that version.
 */
export class SourceReader<O extends KnownObject> {
  readonly #options: SourceReaderOptions<O>;
  readonly #backoff: Backoff;
  readonly counts = { added: 0, modified: 0, deleted: 0, bookmark: 0, syncs: 0, restarts: 0, failures: 0 };
  /** The version up to which everything was seen; empty before the first list, and when the server has forgotten it. */
  version = "";
  /** When something was last received. */
  heardAt: number;
  /** Whether it waits before its next attempt. */
  isBackingOff = false;
  #streamsLists = true;
  #page = PAGE;
  #isReading = false;
  /** Failures in a row that are due to what the server sent, and whether everything was read again for them. */
  #refusals = 0;
  #isRereading = false;

  constructor(options: SourceReaderOptions<O>) {
    this.#options = options;
    this.#backoff = createBackoff(options.random);
    this.heardAt = options.clock.now();
  }

  /** How much was received from the server so far. */
  get received(): number {
    return this.#events + this.counts.syncs;
  }

  get #events(): number {
    const { added, modified, deleted, bookmark } = this.counts;
    return added + modified + deleted + bookmark;
  }

  /** Ends when the signal is aborted. */
  async run(): Promise<void> {
    const { clock, onError, signal } = this.#options;
    while (!signal.aborted) {
      const [began, eventsBefore, syncsBefore] = [clock.now(), this.#events, this.counts.syncs];
      let retryAfterMs = 0;
      try {
        if (this.version === "" && !this.#streamsLists) await this.#readPages();
        await this.#watch();
        this.#refusals = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (this.#isWithoutStreams(error)) continue;
        this.counts.failures++;
        if (this.#events > eventsBefore) this.#refusals = 0;
        this.#judge(error);
        retryAfterMs = retryAfterOf(error);
        onError?.(error);
      }
      if (signal.aborted) return;
      this.counts.restarts++;
      const isSteady = this.#events > eventsBefore || clock.now() - began >= STEADY_MS;
      if (isSteady) this.#isRereading = false;
      if (isSteady || (this.counts.syncs > syncsBefore && !this.#isRereading)) this.#backoff.reset();
      this.isBackingOff = true;
      await waitFor(clock, Math.max(this.#backoff.next(), retryAfterMs), signal).catch(() => undefined);
      this.isBackingOff = false;
    }
  }

  /** What a failure means for the next attempt. */
  #judge(error: unknown): void {
    const hadVersion = this.version !== "";
    if (hadVersion && isRefusal(error) && ++this.#refusals >= MOST_REFUSALS) {
      this.#refusals = 0;
      this.#isRereading = true;
      this.version = "";
    }
    if (!(error instanceof ApiError)) return;
    const isTooLarge = error.causes.some(({ reason }) => reason === "ResourceVersionTooLarge");
    if (isExpired(error) || isTooLarge) {
      // Pages that expire while they are read would do so again: everything at once then.
      if (!hadVersion && !this.#streamsLists) this.#page = 0;
      this.version = "";
    }
  }

  /** Whether the server refuses streaming lists, which many do. If something else is wrong with the request, its list is refused, too. */
  #isWithoutStreams(error: unknown): boolean {
    if (this.version !== "" || !this.#streamsLists || !(error instanceof ApiError)) return false;
    this.#streamsLists = error.httpStatus !== 400 && error.httpStatus !== 422;
    return !this.#streamsLists;
  }

  async #readPages(): Promise<void> {
    const { source, clock, objects: known, signal } = this.#options;
    const objects: O[] = [];
    let next = "";
    do {
      const page = await source.list({ limit: this.#page, continue: next, signal });
      this.heardAt = clock.now();
      for (const item of page.items) objects.push(known.sameAsKnown(item));
      next = page.continue;
      if (next === "") this.#replace(objects, page.resourceVersion);
    } while (next !== "");
    this.#page = PAGE;
    await this.#options.room();
  }

  /** One watch, until it ends. Throws if it fails. Without a version it begins with all objects. */
  async #watch(): Promise<void> {
    const { random, source, clock, objects: known, signal } = this.#options;
    const ended = new AbortController();
    const stopFollowing = follow(signal, ended);
    const { least, most } = WATCH_SECONDS;
    /** All objects, until the server says that it has sent them. */
    let initial = this.version === "" ? new Map<string, O>() : undefined;
    const watched = this.#watchSilence(ended, () => initial !== undefined);
    const options = {
      resourceVersion: this.version,
      sendInitialEvents: initial !== undefined,
      timeoutSeconds: Math.round(least + random() * (most - least)),
      known: (namespace: string, name: string) => known.store.get(namespace, name),
      signal: ended.signal,
    };
    const heard = (): void => {
      this.#isReading = true;
      this.heardAt = clock.now();
    };
    try {
      await source.watch(options, (events) => {
        for (const event of events) {
          if (initial === undefined) this.#take(event);
          else if (event.type !== "BOOKMARK") this.#collect(initial, event);
          else if (event.initialEventsEnd) {
            const objects = [...initial.values()];
            initial = undefined;
            this.#replace(objects, event.resourceVersion);
          } else {
            this.#streamsLists = false;
            throw new ConnectionError("the server does not say when it has sent all objects");
          }
        }
        const waiting = this.#options.room();
        if (waiting === undefined) return heard();
        this.#isReading = false;
        return waiting.then(heard);
      });
      if (initial !== undefined) throw new ConnectionError("the watch ended before the server had sent all objects");
    } finally {
      watched();
      stopFollowing();
      ended.abort();
    }
  }

  /** Ends a watch that is silent for too long: its connection may be dead without either side having been told. */
  #watchSilence(ended: AbortController, isInitial: () => boolean): () => void {
    const { clock, idleTimeoutMs } = this.#options;
    this.heardAt = clock.now();
    this.#isReading = true;
    let cancel: () => void;
    const check = (): void => {
      const [limit, silent] = [isInitial() ? INITIAL_SILENCE_MS : idleTimeoutMs, clock.now() - this.heardAt];
      if (silent < limit || !this.#isReading) {
        cancel = clock.after(Math.max(limit - silent, 1000), check);
        return;
      }
      if (isInitial()) this.#streamsLists = false;
      ended.abort(new ConnectionError(`the watch was silent for ${silent} ms`));
    };
    cancel = clock.after(Math.min(INITIAL_SILENCE_MS, idleTimeoutMs), check);
    return () => cancel();
  }

  #collect(initial: Map<string, O>, event: Exclude<SourceEvent<O>, BookmarkEvent>): void {
    const { namespace = "", name } = event.object.metadata;
    if (event.type === "DELETED") initial.delete(`${namespace}/${name}`);
    else initial.set(`${namespace}/${name}`, this.#options.objects.sameAsKnown(event.object));
  }

  #replace(objects: readonly O[], version: string): void {
    this.#options.objects.replace(objects, this.counts.syncs === 0);
    this.version = version;
    this.counts.syncs++;
    this.#options.onSynced();
  }

  #take(event: SourceEvent<O>): void {
    if (event.type === "BOOKMARK") {
      this.counts.bookmark++;
      this.version = event.resourceVersion || this.version;
      return;
    }
    const { object, type } = event;
    const { namespace = "", name, resourceVersion } = object.metadata;
    if (type === "DELETED") {
      this.counts.deleted++;
      this.#options.objects.remove(namespace, name, object);
    } else {
      if (type === "ADDED") this.counts.added++;
      else this.counts.modified++;
      this.#options.objects.put(object, false);
    }
    this.version = resourceVersion;
  }
}

/** Whether the server took the request and what it sent is of no use, such as an event that cannot be read. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ApiError) return [400, 422, 500].includes(error.httpStatus);
  return error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError;
}

/** How long the server asked to wait. */
function retryAfterOf(error: unknown): number {
  if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) return 0;
  return Math.min(error.retryAfterSeconds, LONGEST_RETRY_SECONDS) * 1000;
}
