import { clearInterval, setImmediate, setInterval, setTimeout } from "node:timers";
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
  /** Returns random numbers for jitter, at least 0 and below 1. */
  readonly random: () => number;
  readonly indexes?: Readonly<Record<Index, IndexFunction<O>>>;
  /** Maximum number of events that wait for a slow handler before the informer stops reading; 1000 by default. */
  readonly queueLimit?: number;
  /** A watch without any event for this time is reopened; 150 seconds by default. Servers send a bookmark every minute. */
  readonly idleTimeoutMs?: number;
  /** Called with connection losses and with errors of handlers and index functions. The informer continues. */
  readonly onError?: (error: unknown) => void;
  /** Registers the informer with the in-process plane, whose `settled()` then waits for it. */
  readonly join?: Settling["join"];
}

export interface InformerMetrics {
  /** Objects in the store. */
  readonly objects: number;
  /** Received events by type. */
  readonly events: {
    readonly added: number;
    readonly modified: number;
    readonly deleted: number;
    readonly bookmark: number;
  };
  /** Number of complete lists: the first one, and one each time the server no longer had the last resourceVersion. */
  readonly syncs: number;
  /** Watches that ended and were reopened. */
  readonly restarts: number;
  /** Failed lists and watches. */
  readonly failures: number;
  readonly handlerErrors: number;
  /** Number of events that wait for the slowest handler, and milliseconds for which the longest-waiting event has waited. */
  readonly queued: number;
  readonly lagMs: number;
  /** Milliseconds since anything was received from the server. */
  readonly silentMs: number;
}

export interface Subscription {
  /** Ends the calls of the handler. */
  stop(): void;
}

const QUEUE_LIMIT = 1000;
const IDLE_TIMEOUT_MS = 150_000;

/**
 * Keeps a copy of the objects of one kind, and calls handlers with each change. It reads all objects once, by a streaming list or in pages, and then
 * watches. After a lost connection it continues from its last resourceVersion. Only if the server no longer has that resourceVersion, it reads all
 * objects again. Handlers see the changes of an object in order and once. Changes that were missed and that the server no longer has are combined
 * into one.
 */
export class Informer<O extends KnownObject, Index extends string = never> {
  readonly #options: InformerOptions<O, Index>;
  /** Monotonic: the system time may be set while a watch is silent. */
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
    // Prevents an unhandled rejection if nobody awaits the promise.
    this.#synced.promise.catch(() => undefined);
  }

  /** Starts the informer. Resolves when the store holds all objects. Rejects if the informer is stopped before. */
  start(): Promise<void> {
    if (this.#running === undefined && !this.#stop.signal.aborted) {
      // Keeps the process alive: the timers of the clock do not, and there is no connection while the informer waits for its next attempt.
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

  /** Ends the watch and the calls of handlers. The store keeps its objects. */
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

  /** The resourceVersion up to which the store is complete; empty before the first list is complete. Opaque. */
  get resourceVersion(): string {
    return this.#reader.version;
  }

  /** Returns the object as last seen. It is shared: do not modify it. */
  get(key: { readonly name: string; readonly namespace?: string | undefined } | string): O | undefined {
    return typeof key === "string"
      ? this.#objects.store.get("", key)
      : this.#objects.store.get(key.namespace ?? "", key.name);
  }

  /** Returns all objects, or those of a namespace. */
  list(namespace?: string): O[] {
    return [...this.#objects.store.values(namespace)];
  }

  /** Returns the objects for which the index function returned `value`. */
  byIndex(index: Index, value: string): O[] {
    return this.#objects.store.byIndex(index, value);
  }

  /**
   * Calls a handler with each known object, and then with each change, one at a time. Several handlers share one watch. While more than `queueLimit`
   * events wait for a handler, nothing is read from the server.
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

  /** Adds an index, or replaces one of the same name. May be called at any time. */
  addIndex(name: Index, valuesOf: IndexFunction<O>): void {
    this.#objects.store.addIndex(name, valuesOf);
  }

  /**
   * For tests: resolves when the store is equal to a list from the server. Waits in real time, not on the clock of the client. Rejects if the
   * informer is stopped.
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

  /** Resolves when the first list is complete, or failed and waits for its retry, and no event waits for a handler. */
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
