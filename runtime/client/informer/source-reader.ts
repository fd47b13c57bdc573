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
  /** Returns random numbers for jitter, at least 0 and below 1. */
  readonly random: () => number;
  /** A watch without any event for this time is reopened. */
  readonly idleTimeoutMs: number;
  /** Resolves when the handlers can receive more events; undefined if they can already. */
  readonly room: () => Promise<void> | undefined;
  /** Called when a complete list has been read. */
  readonly onSynced: () => void;
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly signal: AbortSignal;
}

/** Silence limit during a streaming list. A server that ignores `sendInitialEvents` never reports the end of the initial events. */
const INITIAL_SILENCE_MS = 10_000;
const PAGE = 500;
/** Range of watch durations. They are random, so that the watches of many clients do not end at once. */
const WATCH_SECONDS = { least: 300, most: 600 };
/** A watch that lasted this long was a success even if it received nothing. */
const STEADY_MS = 5_000;
/** Number of consecutive failures caused by the content of responses after which everything is listed again: later responses may be valid. */
const MOST_REFUSALS = 3;
const LONGEST_RETRY_SECONDS = 60;

/**
 * Keeps objects equal to those of a server. It reads all objects once, by a streaming list or in pages, and then watches. After a lost connection it
 * continues from its last resourceVersion. Only if the server no longer has that resourceVersion, it reads all objects again.
 */
export class SourceReader<O extends KnownObject> {
  readonly #options: SourceReaderOptions<O>;
  readonly #backoff: Backoff;
  readonly counts = { added: 0, modified: 0, deleted: 0, bookmark: 0, syncs: 0, restarts: 0, failures: 0 };
  /** The resourceVersion up to which everything was seen. Empty before the first list, and if the server no longer has it. */
  version = "";
  /** Time of the last received data. */
  heardAt: number;
  /** Whether the reader waits before its next attempt. */
  isBackingOff = false;
  #streamsLists = true;
  #page = PAGE;
  #isReading = false;
  /** Number of consecutive failures caused by the content of responses, and whether everything is being listed again because of them. */
  #refusals = 0;
  #isRereading = false;

  constructor(options: SourceReaderOptions<O>) {
    this.#options = options;
    this.#backoff = createBackoff(options.random);
    this.heardAt = options.clock.now();
  }

  /** Number of events and complete lists received so far. */
  get received(): number {
    return this.#events + this.counts.syncs;
  }

  get #events(): number {
    const { added, modified, deleted, bookmark } = this.counts;
    return added + modified + deleted + bookmark;
  }

  /** Reads until the signal is aborted. */
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

  /** Decides how the next attempt continues after an error. */
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
      // Pages that expire while they are read would expire again: the next attempt lists everything in one response.
      if (!hadVersion && !this.#streamsLists) this.#page = 0;
      this.version = "";
    }
  }

  /** Whether the server refuses streaming lists, as many do. If the request is invalid for another reason, the list is refused too. */
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

  /** Runs one watch until it ends. Throws if it fails. Without a resourceVersion, it starts with all existing objects. */
  async #watch(): Promise<void> {
    const { random, source, clock, objects: known, signal } = this.#options;
    const ended = new AbortController();
    const stopFollowing = follow(signal, ended);
    const { least, most } = WATCH_SECONDS;
    /** The initial objects, until the server reports that it has sent all of them. */
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

  /** Ends a watch that is silent for too long: its connection may be dead without either side noticing. */
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

/** Whether the content is the problem: the server rejected the request as invalid, or sent data that cannot be read. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ApiError) return [400, 422, 500].includes(error.httpStatus);
  return error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError;
}

/** Returns the milliseconds that the server asked to wait, limited to `LONGEST_RETRY_SECONDS`; 0 if it did not ask. */
function retryAfterOf(error: unknown): number {
  if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) return 0;
  return Math.min(error.retryAfterSeconds, LONGEST_RETRY_SECONDS) * 1000;
}
