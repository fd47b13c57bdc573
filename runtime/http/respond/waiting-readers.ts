import type { Clock } from "../../lib/clock.ts";
import type { RelayWaiting } from "../../lib/relay.ts";
import type { Budget, BudgetOwner } from "../pipeline/budget.ts";

/** A client that has not read all data sent to it. */
export interface WaitingReader {
  readonly owner: BudgetOwner;
  /** Disconnects the client because it does not read. */
  cancel(): void;
}

export interface WaitingLimits {
  /** Budget for bytes that clients have not read yet. */
  readonly budget: Budget;
  /** How long a client may read nothing; 0 means no limit. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, "after">;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
}

interface Waiting {
  readonly bytes: number;
  readonly since: number;
}

/** Number of checks per timeout: a client that does not read is detected late by at most this fraction of the timeout. */
const LOOKS_PER_TIMEOUT = 8;

/**
 * Clients of watches that are behind. Those that read nothing for too long are disconnected. If too many bytes wait for one user, or for
 * all users, those that have waited longest are disconnected.
 */
export class WaitingReaders {
  /** Number of clients that were disconnected because they read nothing. */
  timedOut = 0;
  /** Number of clients that were disconnected because too many bytes were waiting. */
  outbid = 0;
  readonly #limits: WaitingLimits;
  /** Readers by owner. Those that have waited longest come first. */
  readonly #byOwner = new Map<string, Map<WaitingReader, Waiting>>();
  #cancelLook: (() => void) | undefined;

  constructor(limits: WaitingLimits) {
    this.#limits = limits;
  }

  get timeoutMs(): number {
    return this.#limits.timeoutMs;
  }

  /** `bytes` wait for `reader` until it resumes. */
  wait(reader: WaitingReader, bytes: number): void {
    const { owner } = reader;
    const { budget, clock, monotonic, timeoutMs } = this.#limits;
    const others = this.#byOwner.get(owner.key) ?? new Map<WaitingReader, Waiting>();
    for (;;) {
      const refusal = budget.take(owner, bytes);
      if (refusal === undefined) break;
      const longest = refusal === "user" ? others.keys().next().value : this.#longest();
      this.outbid += 1;
      if (longest === undefined) {
        reader.cancel();
        return;
      }
      this.#cancel(longest);
    }
    this.#byOwner.set(owner.key, others.set(reader, { bytes, since: monotonic() }));
    if (timeoutMs > 0) this.#cancelLook ??= clock.after(timeoutMs / LOOKS_PER_TIMEOUT, () => this.#look());
  }

  /** `reader` has read everything, or has disconnected. */
  resume(reader: WaitingReader): void {
    const { owner } = reader;
    const readers = this.#byOwner.get(owner.key);
    const waiting = readers?.get(reader);
    if (readers === undefined || waiting === undefined) return;
    readers.delete(reader);
    if (readers.size === 0) this.#byOwner.delete(owner.key);
    this.#limits.budget.giveBack(owner, waiting.bytes);
  }

  /** The reader that has waited longest, of all users. */
  #longest(): WaitingReader | undefined {
    let longest: WaitingReader | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const readers of this.#byOwner.values()) {
      for (const [reader, { since }] of readers) {
        if (since < earliest) [longest, earliest] = [reader, since];
        break;
      }
    }
    return longest;
  }

  #cancel(reader: WaitingReader): void {
    this.resume(reader);
    reader.cancel();
  }

  #look(): void {
    const { clock, monotonic, timeoutMs } = this.#limits;
    const late = monotonic() - timeoutMs;
    for (const readers of this.#byOwner.values()) {
      for (const [reader, { since }] of readers) {
        if (since > late) break;
        this.timedOut += 1;
        this.#cancel(reader);
      }
    }
    this.#cancelLook =
      this.#byOwner.size > 0 ? clock.after(timeoutMs / LOOKS_PER_TIMEOUT, () => this.#look()) : undefined;
  }
}

/** Counts what one side of a forwarded request or connection does not read; `cancel` ends it. */
export function waitingRelay(readers: WaitingReaders, owner: BudgetOwner, cancel: () => void): RelayWaiting {
  const reader: WaitingReader = { owner, cancel };
  return { wait: (bytes) => readers.wait(reader, bytes), resume: () => readers.resume(reader) };
}
