import type { AuditEvent } from "./audit-event.ts";
import type { LogDestination } from "./log-file.ts";
import type { AuditSink } from "./request-trail.ts";

/**
 * `batch`: requests do not wait for the log, and events that exceed its buffer are dropped. `blocking`: requests wait, but do not fail if writing
 * fails. `blocking-strict`: a request whose first event cannot be written is rejected.
 */
export const AUDIT_LOG_MODES = ["batch", "blocking", "blocking-strict"] as const;
export type AuditLogMode = (typeof AUDIT_LOG_MODES)[number];

/** Buffer size in batch mode, in events and in characters. Events beyond it are dropped. */
const MOST_WAITING = 10_000;
const MOST_CHARACTERS = 128 * 1024 * 1024;

export interface AuditLogOptions {
  readonly destination: LogDestination;
  readonly mode: AuditLogMode;
  readonly format: (event: AuditEvent) => string;
  /** Called when events are lost, with their number and the reason. */
  readonly onLost: (events: number, why: string) => void;
  readonly mostWaiting?: number;
  readonly mostCharacters?: number;
}

/** Writes events to a log, in order and without blocking other requests. Events that arrive during a write are combined in the next write. */
export class AuditLog implements AuditSink {
  readonly #options: AuditLogOptions;
  readonly #mostWaiting: number;
  readonly #mostCharacters: number;
  #characters = 0;
  #waiting: string[] = [];
  /** Resolves when the lines in `#waiting` are written. */
  #next: PromiseWithResolvers<boolean> | undefined;
  #writing: Promise<void> | undefined;
  /** Number of events since the last write that did not fit into the buffer. */
  #lost = 0;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#mostWaiting = options.mostWaiting ?? MOST_WAITING;
    this.#mostCharacters = options.mostCharacters ?? MOST_CHARACTERS;
  }

  accept(event: AuditEvent): Promise<boolean> | undefined {
    const { mode, format } = this.#options;
    const line = `${format(event)}\n`;
    const isFull = this.#waiting.length >= this.#mostWaiting || this.#characters + line.length > this.#mostCharacters;
    if (mode === "batch" && isFull) {
      this.#lost += 1;
      return undefined;
    }
    this.#waiting.push(line);
    this.#characters += line.length;
    this.#next ??= Promise.withResolvers<boolean>();
    const { promise } = this.#next;
    this.#writing ??= this.#write();
    if (mode === "batch") return undefined;
    return mode === "blocking" ? promise.then(() => true) : promise;
  }

  /** Writes the remaining events and closes the log. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#options.destination.close();
  }

  async #write(): Promise<void> {
    // Waits, so that the first write includes other events of the same turn of the event loop.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      const { resolve } = this.#next as PromiseWithResolvers<boolean>;
      this.#waiting = [];
      this.#characters = 0;
      this.#next = undefined;
      try {
        await this.#options.destination.write(lines.join(""));
        resolve(true);
      } catch (error) {
        this.#options.onLost(lines.length, error instanceof Error ? error.message : String(error));
        resolve(false);
      }
      if (this.#lost > 0) {
        this.#options.onLost(this.#lost, "the log does not keep up");
        this.#lost = 0;
      }
    }
    this.#writing = undefined;
  }
}
