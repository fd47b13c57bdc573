import type { Clock } from "../../lib/clock.ts";
import { Fifo } from "../../lib/fifo.ts";

/** Callbacks for changes of an informer's objects. If one returns a promise, the next event waits for it. */
export interface InformerHandler<O> {
  /** `isInitial`: the object existed when the informer started, or when this handler was added. */
  added?(object: O, about: { readonly isInitial: boolean }): void | Promise<void>;
  updated?(object: O, old: O): void | Promise<void>;
  /** `isFinalStateUnknown`: the deletion itself was missed because the connection was lost. `object` is then the last known state. */
  deleted?(object: O, about: { readonly isFinalStateUnknown: boolean }): void | Promise<void>;
}

export type InformerEvent<O> =
  | { readonly type: "added"; readonly object: O; readonly isInitial: boolean }
  | { readonly type: "updated"; readonly object: O; readonly old: O }
  | { readonly type: "deleted"; readonly object: O; readonly isFinalStateUnknown: boolean };

interface Waiting<O> {
  readonly event: InformerEvent<O>;
  readonly since: number;
}

/**
 * Calls one handler with one event at a time. Events wait while the handler works. The informer stops reading while too many events wait. An error of
 * the handler is reported, and the next event follows.
 */
export class HandlerQueue<O> {
  readonly #handler: InformerHandler<O>;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #waiting = new Fifo<Waiting<O>>();
  #busy = false;
  #stopped = false;
  #listeners: { readonly atMost: number; readonly resolve: () => void }[] = [];

  constructor(handler: InformerHandler<O>, clock: Clock, onError: (error: unknown) => void) {
    this.#handler = handler;
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Number of events that wait or are being handled; 0 after the queue was stopped. */
  get length(): number {
    if (this.#stopped) return 0;
    return this.#waiting.length + (this.#busy ? 1 : 0);
  }

  /** Milliseconds for which the first event has waited. */
  get lagMs(): number {
    const { first } = this.#waiting;
    return first === undefined ? 0 : this.#clock.now() - first.since;
  }

  push(event: InformerEvent<O>): void {
    if (this.#stopped) return;
    if (this.#busy) this.#waiting.push({ event, since: this.#clock.now() });
    else this.#begin(event);
  }

  /** Resolves when at most `atMost` events are left, or the queue is stopped. */
  async downTo(atMost: number): Promise<void> {
    if (this.length > atMost) await new Promise<void>((resolve) => this.#listeners.push({ atMost, resolve }));
  }

  /** Discards waiting events. The handler is not called again. */
  stop(): void {
    this.#stopped = true;
    this.#waiting.clear();
    this.#tell();
  }

  #begin(event: InformerEvent<O>): void {
    const working = this.#call(event);
    if (working === undefined) return;
    this.#busy = true;
    working.then(
      () => this.#next(),
      (error: unknown) => {
        this.#onError(error);
        this.#next();
      },
    );
  }

  #next(): void {
    this.#busy = false;
    while (!this.#busy) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#begin(next.event);
    }
    this.#tell();
  }

  #tell(): void {
    if (this.#listeners.length === 0) return;
    const isMet = ({ atMost }: { readonly atMost: number }) => this.length <= atMost;
    const met = this.#listeners.filter(isMet);
    this.#listeners = this.#listeners.filter((listener) => !isMet(listener));
    for (const { resolve } of met) resolve();
  }

  #call(event: InformerEvent<O>): Promise<void> | undefined {
    try {
      return this.#dispatch(event) ?? undefined;
    } catch (error) {
      this.#onError(error);
      return undefined;
    }
  }

  #dispatch(event: InformerEvent<O>): void | Promise<void> {
    switch (event.type) {
      case "added":
        return this.#handler.added?.(event.object, event);
      case "updated":
        return this.#handler.updated?.(event.object, event.old);
      case "deleted":
        return this.#handler.deleted?.(event.object, event);
    }
  }
}
