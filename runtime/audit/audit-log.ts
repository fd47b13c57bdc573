import type { Clock } from "../lib/clock.ts";
import type { AuditBatches } from "./audit-batches.ts";
import type { AuditEvent } from "./audit-event.ts";
import type { LogDestination } from "./log-file.ts";
import type { AuditSink } from "./request-trail.ts";
import { SendRate } from "./send-rate.ts";

/**
 * `batch`: requests do not wait for the log, and events that exceed its buffer are dropped. `blocking`: requests wait, but do not fail if writing
 * fails. `blocking-strict`: a request whose first event cannot be written is rejected.
 */
export const AUDIT_LOG_MODES = ["batch", "blocking", "blocking-strict"] as const;
export type AuditLogMode = (typeof AUDIT_LOG_MODES)[number];

export interface AuditLogOptions {
  readonly destination: LogDestination;
  readonly mode: AuditLogMode;
  readonly format: (event: AuditEvent) => string;
  readonly batches: AuditBatches;
  readonly clock: Clock;
  /** Called when events are lost, with their number, the reason, and whether the buffer was full. */
  readonly onLost: (events: number, why: string, noRoom: boolean) => void;
}

/**
 * Writes events to a log, in order and without blocking other requests. Events that arrive during a write are combined in the next write. In batch
 * mode, a write waits for `maxSize` events, at most `maxWaitMs`, and for the rate limit.
 */
export class AuditLog implements AuditSink {
  readonly #options: AuditLogOptions;
  readonly #rate: SendRate | undefined;
  readonly #closing = Promise.withResolvers<void>();
  /** Called when the current batch is complete. */
  #onComplete: (() => void) | undefined;
  #characters = 0;
  #waiting: string[] = [];
  /** Resolves when the lines in `#waiting` are written. */
  #next: PromiseWithResolvers<boolean> | undefined;
  #writing: Promise<void> | undefined;
  /** Number of events since the last write that did not fit into the buffer. */
  #lost = 0;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    const { throttle } = options.batches;
    this.#rate = throttle && new SendRate(throttle, options.clock);
  }

  accept(event: AuditEvent): Promise<boolean> | undefined {
    const { mode, format, batches } = this.#options;
    const line = `${format(event)}\n`;
    const isFull = this.#waiting.length >= batches.bufferSize || this.#characters + line.length > batches.bufferBytes;
    if (mode === "batch" && isFull) {
      this.#lost += 1;
      return undefined;
    }
    this.#waiting.push(line);
    this.#characters += line.length;
    this.#next ??= Promise.withResolvers<boolean>();
    const { promise } = this.#next;
    this.#writing ??= this.#write();
    if (this.#waiting.length >= batches.maxSize) this.#onComplete?.();
    if (mode === "batch") return undefined;
    return mode === "blocking" ? promise.then(() => true) : promise;
  }

  /** Writes the remaining events and closes the log. */
  async close(): Promise<void> {
    this.#closing.resolve();
    await this.#writing;
    await this.#options.destination.close();
  }

  async #write(): Promise<void> {
    // Waits, so that the first write includes other events of the same turn of the event loop.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      if (this.#options.mode === "batch") await this.#collect();
      const lines = this.#waiting;
      const { resolve } = this.#next as PromiseWithResolvers<boolean>;
      this.#waiting = [];
      this.#characters = 0;
      this.#next = undefined;
      try {
        await this.#options.destination.write(lines.join(""));
        resolve(true);
      } catch (error) {
        this.#options.onLost(lines.length, error instanceof Error ? error.message : String(error), false);
        resolve(false);
      }
      if (this.#lost > 0) {
        this.#options.onLost(this.#lost, "audit buffer queue blocked", true);
        this.#lost = 0;
      }
    }
    this.#writing = undefined;
  }

  /** Waits until the batch is complete and the rate limit allows it. A log that is being closed does not wait. */
  async #collect(): Promise<void> {
    const { batches, clock } = this.#options;
    if (this.#waiting.length < batches.maxSize && batches.maxWaitMs > 0) {
      const collected = Promise.withResolvers<void>();
      this.#onComplete = collected.resolve;
      const cancel = clock.after(batches.maxWaitMs, collected.resolve);
      await Promise.race([collected.promise, this.#closing.promise]);
      cancel();
      this.#onComplete = undefined;
    }
    const turn = this.#rate?.turn();
    if (turn !== undefined) await Promise.race([turn, this.#closing.promise]);
  }
}
