import type { Settling } from "../../contract/settling.ts";
import type { Clock } from "../../lib/clock.ts";
import { ApiError, ConnectionError, isExpired } from "../api-error.ts";
import { follow, waitFor } from "../requester.ts";
import type { BookmarkEvent } from "../watch-events.ts";
import { type Backoff, createBackoff } from "./backoff.ts";
import { isCaughtUp } from "./caught-up.ts";
import { HandlerQueue, type InformerEvent, type InformerHandler } from "./handler-queue.ts";
import { type IndexFunction, type KnownObject, LocalStore } from "./local-store.ts";

/** An event of a watch, with objects as the informer keeps them. */
export type SourceEvent<O> = { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: O } | BookmarkEvent;

export interface SourceWatch<O> {
  readonly resourceVersion: string;
  readonly sendInitialEvents: boolean;
  readonly timeoutSeconds: number;
  /** The object that the informer holds: changes of it are read with less work. */
  readonly known?: (namespace: string, name: string) => O | undefined;
  readonly signal: AbortSignal;
}

export type TakeEvents<O> = (events: readonly SourceEvent<O>[]) => void | Promise<void>;

/** Where the objects of an informer come from. */
export interface InformerSource<O> {
  list(page: { readonly limit: number; readonly continue: string; readonly signal: AbortSignal }): Promise<{
    readonly items: readonly O[];
    readonly resourceVersion: string;
    readonly continue: string;
  }>;
  /**
   * Calls `take` with the events of a watch, as many at a time as arrived together. No more are read while a promise that it returned is
   * pending. Resolves when the server ends the watch.
   */
  watch(options: SourceWatch<O>, take: TakeEvents<O>): Promise<void>;
  /** The informer does not hold this object any more. Others may, and can read it. */
  release?(object: O): void;
}

export interface InformerOptions<O, Index extends string> {
  readonly source: InformerSource<O>;
  readonly clock: Clock;
  /** At least 0 and below 1. */
  readonly random: () => number;
  readonly indexes?: Readonly<Record<Index, IndexFunction<O>>>;
  /** Events that may wait for a slow handler before the informer stops reading; 1000 by default. */
  readonly queueLimit?: number;
  /** A watch that is silent for this time is opened anew; 150 seconds by default. Servers send a bookmark each minute. */
  readonly idleTimeoutMs?: number;
  /** Told of lost connections and of errors of handlers. The informer goes on. */
  readonly onError?: (error: unknown) => void;
  /** Of the plane in this process, which waits for the informer when it settles. */
  readonly join?: Settling["join"];
}

export interface InformerMetrics {
  /** Objects in the store. */
  readonly objects: number;
  /** Events that were received, by type. */
  readonly events: {
    readonly added: number;
    readonly modified: number;
    readonly deleted: number;
    readonly bookmark: number;
  };
  /** Complete reads of all objects: the first, and one each time the server had forgotten the last version. */
  readonly syncs: number;
  /** Watches that ended and were opened anew. */
  readonly restarts: number;
  /** Failures of lists and watches. */
  readonly failures: number;
  readonly handlerErrors: number;
  /** Events that wait for the slowest handler, and for how long the first of them has waited. */
  readonly queued: number;
  readonly lagMs: number;
  /** Since something was received from the server. */
  readonly silentMs: number;
}

export interface Subscription {
  /** No more calls begin. */
  stop(): void;
}

const QUEUE_LIMIT = 1000;
const IDLE_TIMEOUT_MS = 150_000;
/** A server that ignores `sendInitialEvents` never says that it has sent them all. */
const INITIAL_SILENCE_MS = 10_000;
const PAGE = 500;
/** Watches last between these, so that those of many clients do not end at once. */
const WATCH_SECONDS = { least: 300, most: 600 };
/** A watch that lasted this long was a success, though nothing happened. */
const STEADY_MS = 5_000;

/**
 * Keeps a copy of the objects of one kind, and calls handlers with each change. It reads all objects once, by a streaming list or in
 * pages, and then watches; after a lost connection it continues at the version it had, and reads all objects again only if the server
 * has forgotten that version. An object's changes are seen in order and once. Changes that happened while the server could not be reached,
 * and which it no longer has, are seen as one.
 */
export class Informer<O extends KnownObject, Index extends string = never> {
  readonly #options: InformerOptions<O, Index>;
  readonly #store: LocalStore<O>;
  readonly #queues = new Set<HandlerQueue<O>>();
  readonly #stop = new AbortController();
  readonly #backoff: Backoff;
  readonly #synced = Promise.withResolvers<void>();
  readonly #counts = {
    added: 0,
    modified: 0,
    deleted: 0,
    bookmark: 0,
    syncs: 0,
    restarts: 0,
    failures: 0,
    handlerErrors: 0,
  };
  #running: Promise<void> | undefined;
  #leave: (() => void) | undefined;
  #keepAlive: NodeJS.Timeout | undefined;
  #isBackingOff = false;
  /** The version up to which everything was seen; empty before the first list, and when the server has forgotten it. */
  #version = "";
  #streamsLists = true;
  #page = PAGE;
  #heardAt: number;
  #isReading = false;

  constructor(options: InformerOptions<O, Index>) {
    this.#options = options;
    this.#store = new LocalStore(options.indexes ?? {});
    this.#backoff = createBackoff(options.random);
    this.#heardAt = options.clock.now();
    // Who does not wait for it is not to be told of it.
    this.#synced.promise.catch(() => undefined);
  }

  /** Begins, and resolves when the store holds all objects. */
  start(): Promise<void> {
    if (this.#running === undefined) {
      // Timers of the clock do not keep the process alive, and there is no connection while the informer waits for its next attempt.
      this.#keepAlive = setInterval(() => undefined, 2 ** 30);
      this.#running = this.#run();
      this.#leave = this.#options.join?.({ idle: () => this.#settled(), activity: () => this.#received });
    }
    return this.#synced.promise;
  }

  /** Resolves when the store holds all objects; rejects if the informer is stopped before. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Ends the watch. No more calls of handlers begin. The store stays as it is. */
  async stop(): Promise<void> {
    if (this.#stop.signal.aborted) return this.#running;
    this.#stop.abort(new DOMException("the informer was stopped", "AbortError"));
    this.#synced.reject(this.#stop.signal.reason);
    for (const queue of this.#queues) queue.stop();
    clearInterval(this.#keepAlive);
    this.#leave?.();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** The version up to which the store is complete; empty before it is. Opaque. */
  get resourceVersion(): string {
    return this.#version;
  }

  /** The object as last seen. Do not change it: it is shared. */
  get(key: { readonly name: string; readonly namespace?: string | undefined } | string): O | undefined {
    return typeof key === "string" ? this.#store.get("", key) : this.#store.get(key.namespace ?? "", key.name);
  }

  /** All objects, or those of a namespace. */
  list(namespace?: string): O[] {
    return [...this.#store.values(namespace)];
  }

  /** The objects for which the function of this index returned this value. */
  byIndex(index: Index, value: string): O[] {
    return this.#store.byIndex(index, value);
  }

  /**
   * Calls a handler with each object that is known, and then with each change, one after the other. Several handlers share one watch. While
   * more than `queueLimit` events wait for a handler, nothing is read from the server.
   */
  on(handler: InformerHandler<O>): Subscription {
    const { clock } = this.#options;
    const queue = new HandlerQueue<O>(handler, clock, (error) => {
      this.#counts.handlerErrors++;
      this.#options.onError?.(error);
    });
    this.#queues.add(queue);
    for (const object of this.#store.values()) queue.push({ type: "added", object, isInitial: true });
    return {
      stop: () => {
        queue.stop();
        this.#queues.delete(queue);
      },
    };
  }

  /** Adds an index at any time; replaces one of the same name. */
  addIndex(name: Index, valuesOf: IndexFunction<O>): void {
    this.#store.addIndex(name, valuesOf);
  }

  /**
   * Resolves when the store holds what the server holds now, by a list to compare with; for tests. Waits in real time, not by the clock of
   * the client. Rejects if the informer is stopped.
   */
  async caughtUp(): Promise<void> {
    await this.#synced.promise;
    const { signal } = this.#stop;
    for (let pause = 1; !(await isCaughtUp(this.#options.source, this.#store, signal)); pause = Math.min(pause * 2, 50))
      await new Promise((resolve) => setTimeout(resolve, pause));
  }

  /** Resolves when no event waits for a handler. */
  async idle(): Promise<void> {
    while ([...this.#queues].some(({ length }) => length > 0))
      await Promise.all([...this.#queues].map((queue) => queue.downTo(0)));
  }

  /** Resolves when it has read all objects, or waits to try again, and no event waits for a handler. */
  async #settled(): Promise<void> {
    while (this.#counts.syncs === 0 && !this.#isBackingOff && !this.#stop.signal.aborted)
      await new Promise((resolve) => setImmediate(resolve));
    await this.idle();
  }

  get metrics(): InformerMetrics {
    const { added, modified, deleted, bookmark, ...counts } = this.#counts;
    const queues = [...this.#queues];
    return {
      objects: this.#store.size,
      events: { added, modified, deleted, bookmark },
      ...counts,
      queued: Math.max(0, ...queues.map(({ length }) => length)),
      lagMs: Math.max(0, ...queues.map(({ lagMs }) => lagMs)),
      silentMs: this.#options.clock.now() - this.#heardAt,
    };
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const { clock, onError } = this.#options;
    while (!signal.aborted) {
      const [began, heardBefore] = [clock.now(), this.#received];
      try {
        if (this.#version === "" && !this.#streamsLists) await this.#readPages();
        await this.#watch();
      } catch (error) {
        if (signal.aborted) return;
        this.#counts.failures++;
        this.#judge(error);
        onError?.(error);
      }
      if (signal.aborted) return;
      this.#counts.restarts++;
      if (this.#received > heardBefore || clock.now() - began >= STEADY_MS) this.#backoff.reset();
      this.#isBackingOff = true;
      await waitFor(clock, this.#backoff.next(), signal).catch(() => undefined);
      this.#isBackingOff = false;
    }
  }

  /** What a failure means for the next attempt. */
  #judge(error: unknown): void {
    if (!(error instanceof ApiError)) return;
    const isTooLarge = error.causes.some(({ reason }) => reason === "ResourceVersionTooLarge");
    if (isExpired(error) || isTooLarge) {
      // Pages that expire while they are read would do so again: everything at once then.
      if (this.#version === "" && !this.#streamsLists) this.#page = 0;
      this.#version = "";
    } else if (this.#version === "" && (error.httpStatus === 400 || error.httpStatus === 422))
      this.#streamsLists = false;
  }

  get #received(): number {
    const { added, modified, deleted, bookmark, syncs } = this.#counts;
    return added + modified + deleted + bookmark + syncs;
  }

  async #readPages(): Promise<void> {
    const { signal } = this.#stop;
    const objects: O[] = [];
    let next = "";
    do {
      const page = await this.#options.source.list({ limit: this.#page, continue: next, signal });
      this.#heardAt = this.#options.clock.now();
      for (const item of page.items) objects.push(this.#sameAsKnown(item));
      next = page.continue;
      if (next === "") this.#replace(objects, page.resourceVersion);
    } while (next !== "");
    this.#page = PAGE;
    await this.#room();
  }

  /** One watch, until it ends. Throws if it fails. Without a version it begins with all objects. */
  async #watch(): Promise<void> {
    const { random, source, clock } = this.#options;
    const ended = new AbortController();
    const stopFollowing = follow(this.#stop.signal, ended);
    const { least, most } = WATCH_SECONDS;
    /** All objects, until the server says that it has sent them. */
    let initial = this.#version === "" ? new Map<string, O>() : undefined;
    const watched = this.#watchSilence(ended, () => initial !== undefined);
    const options = {
      resourceVersion: this.#version,
      sendInitialEvents: initial !== undefined,
      timeoutSeconds: Math.round(least + random() * (most - least)),
      known: (namespace: string, name: string) => this.#store.get(namespace, name),
      signal: ended.signal,
    };
    const heard = (): void => {
      this.#isReading = true;
      this.#heardAt = clock.now();
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
          }
        }
        const waiting = this.#room();
        if (waiting === undefined) return heard();
        this.#isReading = false;
        return waiting.then(heard);
      });
    } finally {
      watched();
      stopFollowing();
      ended.abort();
    }
  }

  /** Ends a watch that is silent for too long: its connection may be dead without either side having been told. */
  #watchSilence(ended: AbortController, isInitial: () => boolean): () => void {
    const { clock, idleTimeoutMs = IDLE_TIMEOUT_MS } = this.#options;
    this.#heardAt = clock.now();
    this.#isReading = true;
    let cancel: () => void;
    const check = (): void => {
      const [limit, silent] = [isInitial() ? INITIAL_SILENCE_MS : idleTimeoutMs, clock.now() - this.#heardAt];
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

  /** Resolves when no handler is too far behind; undefined if none is. */
  #room(): Promise<void> | undefined {
    const { queueLimit = QUEUE_LIMIT } = this.#options;
    for (const queue of this.#queues)
      if (queue.length > queueLimit) return queue.downTo(queueLimit).then(() => this.#room());
    return undefined;
  }

  #collect(initial: Map<string, O>, event: Exclude<SourceEvent<O>, BookmarkEvent>): void {
    const { namespace = "", name } = event.object.metadata;
    if (event.type === "DELETED") initial.delete(`${namespace}/${name}`);
    else initial.set(`${namespace}/${name}`, this.#sameAsKnown(event.object));
  }

  /** The known object, if it is of the same version: two copies of everything need not be in memory at once. */
  #sameAsKnown(object: O): O {
    const { namespace = "", name } = object.metadata;
    const known = this.#store.get(namespace, name);
    if (known === undefined || !isSame(known, object)) return object;
    this.#release(object);
    return known;
  }

  /** Makes the store equal to a complete list. Handlers see the differences: deletions first. */
  #replace(objects: readonly O[], version: string): void {
    const listed = new Map<string, Set<string>>();
    for (const { metadata } of objects) {
      const { namespace = "", name } = metadata;
      const names = listed.get(namespace);
      if (names === undefined) listed.set(namespace, new Set([name]));
      else names.add(name);
    }
    const isFirst = this.#counts.syncs === 0;
    for (const { metadata } of [...this.#store.values()]) {
      const { namespace = "", name } = metadata;
      if (!listed.get(namespace)?.has(name)) this.#remove(namespace, name, undefined);
    }
    for (const object of objects) this.#put(object, isFirst);
    this.#version = version;
    this.#counts.syncs++;
    this.#synced.resolve();
  }

  #take(event: SourceEvent<O>): void {
    if (event.type === "BOOKMARK") {
      this.#counts.bookmark++;
      this.#version = event.resourceVersion || this.#version;
      return;
    }
    const { object, type } = event;
    const { namespace = "", name, resourceVersion } = object.metadata;
    if (type === "DELETED") {
      this.#counts.deleted++;
      this.#remove(namespace, name, object);
    } else {
      if (type === "ADDED") this.#counts.added++;
      else this.#counts.modified++;
      this.#put(object, false);
    }
    this.#version = resourceVersion;
  }

  #put(object: O, isInitial: boolean): void {
    const { namespace = "", name, uid } = object.metadata;
    let old = this.#store.get(namespace, name);
    if (old !== undefined && isSame(old, object)) {
      if (old !== object) this.#release(object);
      return;
    }
    if (old !== undefined && old.metadata.uid !== uid) {
      this.#remove(namespace, name, undefined);
      old = undefined;
    }
    this.#store.set(object, old);
    this.#deliver(old === undefined ? { type: "added", object, isInitial } : { type: "updated", object, old });
    if (old !== undefined) this.#release(old);
  }

  #remove(namespace: string, name: string, last: O | undefined): void {
    const old = this.#store.delete(namespace, name);
    if (old === undefined) return;
    this.#deliver({ type: "deleted", object: last ?? old, isFinalStateUnknown: last === undefined });
    this.#release(old);
    if (last !== undefined) this.#release(last);
  }

  #release(object: O): void {
    this.#options.source.release?.(object);
  }

  #deliver(event: InformerEvent<O>): void {
    for (const queue of this.#queues) queue.push(event);
  }
}

function isSame(one: KnownObject, other: KnownObject): boolean {
  return one.metadata.resourceVersion === other.metadata.resourceVersion && one.metadata.uid === other.metadata.uid;
}
