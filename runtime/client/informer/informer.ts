import type { Settling } from "../../contract/settling.ts";
import { type Clock, steadyClock } from "../../lib/clock.ts";
import { isCaughtUp } from "./caught-up.ts";
import { FollowedObjects } from "./followed-objects.ts";
import { HandlerQueue, type InformerHandler } from "./handler-queue.ts";
import type { IndexFunction, KnownObject } from "./local-store.ts";
import type { InformerSource } from "./source.ts";
import { SourceReader } from "./source-reader.ts";

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
  /** Called with lost connections, and errors of handlers and index functions. The informer goes on. */
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

/**
 * Keeps a copy of the objects of one kind, and calls handlers with each change. It reads all objects once, by a streaming list or in
 * pages, and then watches; after a lost connection it continues at the version it had, and reads all objects again only if the server
 * has forgotten that version. An object's changes are seen in order and once. Changes that happened while the server could not be reached,
 * and which it no longer has, are seen as one.
 */
export class Informer<O extends KnownObject, Index extends string = never> {
  readonly #options: InformerOptions<O, Index>;
  /** The time of the system may be set while a watch is silent. */
  readonly #clock: Clock;
  readonly #objects: FollowedObjects<O>;
  readonly #reader: SourceReader<O>;
  readonly #stop = new AbortController();
  readonly #synced = Promise.withResolvers<void>();
  #handlerErrors = 0;
  #running: Promise<void> | undefined;
  #leave: (() => void) | undefined;
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(options: InformerOptions<O, Index>) {
    const { source, random, queueLimit = QUEUE_LIMIT, idleTimeoutMs = IDLE_TIMEOUT_MS, onError } = options;
    const clock = steadyClock(options.clock);
    this.#options = options;
    this.#clock = clock;
    const objects = new FollowedObjects<O>(
      options.indexes ?? {},
      (object) => source.release?.(object),
      (error) => onError?.(error),
    );
    this.#objects = objects;
    this.#reader = new SourceReader({
      source,
      objects,
      clock,
      random,
      idleTimeoutMs,
      room: () => objects.room(queueLimit),
      onSynced: this.#synced.resolve,
      onError,
      signal: this.#stop.signal,
    });
    // Who does not wait for it is not to be told of it.
    this.#synced.promise.catch(() => undefined);
  }

  /** Begins, and resolves when the store holds all objects. Rejects if the informer was or is stopped. */
  start(): Promise<void> {
    if (this.#running === undefined && !this.#stop.signal.aborted) {
      // Timers of the clock do not keep the process alive, and there is no connection while the informer waits for its next attempt.
      this.#keepAlive = setInterval(() => undefined, 2 ** 30);
      this.#running = this.#reader.run();
      this.#leave = this.#options.join?.({ idle: () => this.#settled(), activity: () => this.#reader.received });
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
    this.#objects.stopHandlers();
    clearInterval(this.#keepAlive);
    this.#leave?.();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** The version up to which the store is complete; empty before it is. Opaque. */
  get resourceVersion(): string {
    return this.#reader.version;
  }

  /** The object as last seen. Do not change it: it is shared. */
  get(key: { readonly name: string; readonly namespace?: string | undefined } | string): O | undefined {
    return typeof key === "string"
      ? this.#objects.store.get("", key)
      : this.#objects.store.get(key.namespace ?? "", key.name);
  }

  /** All objects, or those of a namespace. */
  list(namespace?: string): O[] {
    return [...this.#objects.store.values(namespace)];
  }

  /** The objects for which the function of this index returned this value. */
  byIndex(index: Index, value: string): O[] {
    return this.#objects.store.byIndex(index, value);
  }

  /**
   * Calls a handler with each object that is known, and then with each change, one after the other. Several handlers share one watch. While
   * more than `queueLimit` events wait for a handler, nothing is read from the server.
   */
  on(handler: InformerHandler<O>): Subscription {
    const { onError } = this.#options;
    const queue = new HandlerQueue<O>(handler, this.#clock, (error) => {
      this.#handlerErrors++;
      onError?.(error);
    });
    this.#objects.addHandler(queue);
    return { stop: () => this.#objects.removeHandler(queue) };
  }

  /** Adds an index at any time; replaces one of the same name. */
  addIndex(name: Index, valuesOf: IndexFunction<O>): void {
    this.#objects.store.addIndex(name, valuesOf);
  }

  /**
   * Resolves when the store holds what the server holds now, by a list to compare with; for tests. Waits in real time, not by the clock of
   * the client. Rejects if the informer is stopped.
   */
  async caughtUp(): Promise<void> {
    await this.#synced.promise;
    const { signal } = this.#stop;
    for (
      let pause = 1;
      !(await isCaughtUp(this.#options.source, this.#objects.store, signal));
      pause = Math.min(pause * 2, 50)
    )
      await new Promise((resolve) => setTimeout(resolve, pause));
  }

  /** Resolves when no event waits for a handler. */
  idle(): Promise<void> {
    return this.#objects.idle();
  }

  /** Resolves when it has read all objects, or waits to try again, and no event waits for a handler. */
  async #settled(): Promise<void> {
    const { counts } = this.#reader;
    while (counts.syncs === 0 && !this.#reader.isBackingOff && !this.#stop.signal.aborted)
      await new Promise((resolve) => setImmediate(resolve));
    await this.idle();
  }

  get metrics(): InformerMetrics {
    const { added, modified, deleted, bookmark, ...counts } = this.#reader.counts;
    const { store, queued, lagMs } = this.#objects;
    return {
      objects: store.size,
      events: { added, modified, deleted, bookmark },
      ...counts,
      handlerErrors: this.#handlerErrors,
      queued,
      lagMs,
      silentMs: this.#clock.now() - this.#reader.heardAt,
    };
  }
}
