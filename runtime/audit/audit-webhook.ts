import type { Clock } from "../lib/clock.ts";
import type { AuditBatches } from "./audit-batches.ts";
import type { AuditEvent } from "./audit-event.ts";
import type { AuditLogMode } from "./audit-log.ts";
import type { AuditSink } from "./request-trail.ts";
import { SendRate } from "./send-rate.ts";

export interface AuditWebhookOptions {
  readonly mode: AuditLogMode;
  readonly batches: AuditBatches;
  readonly format: (event: AuditEvent) => string;
  /** Sends events, given as results of `format`. Rejects after the last retry. */
  readonly send: (events: readonly string[]) => Promise<void>;
  readonly clock: Clock;
  /** Called when events are lost, with their number, the reason, and whether the buffer was full. */
  readonly onLost: (events: number, why: string, noRoom: boolean) => void;
}

/** Sends events to a webhook: in batches in the background, or each one while its request waits. */
export class AuditWebhook implements AuditSink {
  readonly #options: AuditWebhookOptions;
  readonly #rate: SendRate | undefined;
  readonly #sending = new Set<Promise<unknown>>();
  #waiting: string[] = [];
  #waitingBytes = 0;
  /** Length of all events that are not delivered yet. */
  #bytes = 0;
  #stopTimer: (() => void) | undefined;
  /** Number of events that wait for the rate limit. They still count as buffered. */
  #held = 0;

  constructor(options: AuditWebhookOptions) {
    this.#options = options;
    const { throttle } = options.batches;
    this.#rate = throttle && new SendRate(throttle, options.clock);
  }

  accept(event: AuditEvent): Promise<boolean> | undefined {
    const { mode, batches, format, onLost } = this.#options;
    const isWaiting = mode === "batch";
    const text = format(event);
    const isFull = isWaiting && this.#waiting.length + this.#held >= batches.bufferSize;
    if (isFull || this.#bytes + text.length > batches.bufferBytes) {
      onLost(1, "audit buffer queue blocked", true);
      return isWaiting ? undefined : Promise.resolve(mode === "blocking");
    }
    this.#bytes += text.length;
    if (isWaiting) {
      this.#collect(text);
      return undefined;
    }
    const sent = this.#send([text]);
    return mode === "blocking" ? sent.then(() => true) : sent;
  }

  /** Sends the remaining events and waits for all pending requests. */
  async close(): Promise<void> {
    this.#flush();
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  #collect(text: string): void {
    const { batches, clock } = this.#options;
    if (this.#waitingBytes + text.length > (batches.maxBatchBytes ?? Number.POSITIVE_INFINITY)) this.#flush();
    this.#waiting.push(text);
    this.#waitingBytes += text.length;
    if (this.#waiting.length >= batches.maxSize) this.#flush();
    else this.#stopTimer ??= clock.after(batches.maxWaitMs, () => this.#flush());
  }

  #flush(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    if (this.#waiting.length === 0) return;
    const events = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    void this.#send(events);
  }

  #send(events: readonly string[]): Promise<boolean> {
    const sent = this.#sendInTurn(events);
    this.#sending.add(sent);
    void sent.finally(() => this.#sending.delete(sent));
    return sent;
  }

  async #sendInTurn(events: readonly string[]): Promise<boolean> {
    const { mode, send, onLost } = this.#options;
    const turn = mode === "batch" ? this.#rate?.turn() : undefined;
    if (turn !== undefined) {
      this.#held += events.length;
      await turn;
      this.#held -= events.length;
    }
    try {
      await send(events);
      return true;
    } catch (error) {
      onLost(events.length, error instanceof Error ? error.message : String(error), false);
      return false;
    } finally {
      this.#bytes -= events.reduce((sum, { length }) => sum + length, 0);
    }
  }
}
