import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Event } from "../../api-definitions/events/v1/event.ts";
import { ApiError, isNotFound } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import type { KindClient } from "../client/kind-client.ts";
import type { New } from "../client/object-types.ts";
import { waitFor } from "../client/requester.ts";
import type { ResourceToken } from "../contract/resource-token.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { checkSubdomain } from "../values/names.ts";
import type { ControllerMetrics } from "./metrics.ts";

/** Records Events about one object. They are written in the background; failures are only logged. */
export interface Events {
  /**
   * Records an Event of type Normal. `reason` is CamelCase and machine-readable. `note` is for people; repetitions of an Event may have different
   * notes.
   */
  normal(reason: string, note: string, options?: EventOptions): void;
  warning(reason: string, note: string, options?: EventOptions): void;
}

export interface EventOptions {
  /** The action that the controller took or attempted; `Reconcile` by default. */
  readonly action?: string;
  /** A second object involved in the Event. */
  readonly related?: EventObject;
}

/** Reference to an object that the server returned. */
interface EventObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly uid: string;
    readonly resourceVersion: string;
  };
}

export interface EventRecorderParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: ControllerMetrics;
}

type NewEvent = New<Event> & { metadata: { name: string; namespace: string } };

const EVENTS: ResourceToken<Event> = {
  group: "events.k8s.io",
  version: "v1",
  kind: "Event",
  resource: "events",
  namespaced: true,
};
/** A repetition within this time belongs to the series of an Event. Without one, the series is complete. Same value as in client-go. */
const SERIES_MS = 6 * 60_000;
/** Interval at which the count of an unfinished series is written. */
const REFRESH_MS = 30 * 60_000;
const RETRY_MS = 10_000;
const ATTEMPTS = 12;
const MOST_WAITING = 1000;
const MOST_SERIES = 4096;
/** Maximum lengths in bytes. */
const LONGEST = { note: 1024, word: 128, name: 253 };

/** A written Event with its repetitions. */
interface Recorded {
  readonly event: NewEvent;
  readonly controller: string;
  lastMs: number;
  writtenMs: number;
  /** The count that was last written to the server. */
  writtenCount: number;
}

/**
 * Writes Events of `events.k8s.io/v1`. Events that differ only in their note are combined: the second one starts a series, and later ones only
 * increase its count. The count is written when the series is complete, and every half hour before.
 */
export class EventRecorder {
  readonly #parts: EventRecorderParts;
  readonly #recorded = new Map<string, Recorded>();
  readonly #stop = new AbortController();
  #writing: Promise<void> = Promise.resolve();
  #waiting = 0;
  #names = 0;
  #cancelSweep: (() => void) | undefined;

  constructor(parts: EventRecorderParts) {
    this.#parts = parts;
  }

  /** Returns a recorder for Events that a controller reports about an object. */
  about(controller: string, regarding: EventObject): Events {
    const record = (type: "Normal" | "Warning", reason: string, note: string, options: EventOptions = {}): void =>
      this.#record(controller, this.#describe(controller, regarding, { type, reason, note, ...options }));
    return {
      normal: (reason, note, options) => record("Normal", reason, note, options),
      warning: (reason, note, options) => record("Warning", reason, note, options),
    };
  }

  /** Resolves when no write is pending. */
  async flushed(): Promise<void> {
    while (this.#waiting > 0) await this.#writing;
  }

  /** Completes all series. Resolves when everything is written. */
  async stop(): Promise<void> {
    this.#cancelSweep?.();
    for (const recorded of this.#recorded.values()) this.#writeSeries(recorded);
    this.#recorded.clear();
    await this.flushed();
  }

  /** Discards all pending writes. */
  abort(): void {
    this.#stop.abort(new DOMException("the recorder was stopped", "AbortError"));
  }

  #describe(
    controller: string,
    regarding: EventObject,
    { type, reason, note, action = "Reconcile", related }: EventOptions & Record<"type" | "reason" | "note", string>,
  ): NewEvent {
    const now = this.#parts.clock.now();
    const { name, namespace = "default" } = regarding.metadata;
    const unique = `.${(BigInt(Math.floor(now)) * 1_000_000n + BigInt(this.#names++ % 1_000_000)).toString(16)}`;
    return {
      metadata: { name: nameOf(name, unique), namespace },
      eventTime: microTime(now),
      type,
      reason: cut(reason, LONGEST.word),
      note: Buffer.byteLength(note) <= LONGEST.note ? note : `${cut(note, LONGEST.note - 3)}…`,
      action: cut(action, LONGEST.word),
      regarding: referenceTo(regarding),
      ...(related !== undefined && { related: referenceTo(related) }),
      reportingController: controller,
      reportingInstance: cut(`${controller}-${hostname()}`, LONGEST.word),
    };
  }

  #record(controller: string, event: NewEvent): void {
    const now = this.#parts.clock.now();
    const { type, reason, action, regarding, related } = event;
    const key = JSON.stringify([controller, type, reason, action, identityOf(regarding), identityOf(related)]);
    const known = this.#recorded.get(key);
    if (known !== undefined && now - known.lastMs < SERIES_MS) {
      const { event: first } = known;
      known.lastMs = now;
      const isFirstRepetition = first.series === undefined;
      first.series = { count: (first.series?.count ?? 1) + 1, lastObservedTime: microTime(now) };
      if (isFirstRepetition) this.#writeSeries(known);
      return;
    }
    if (known !== undefined) this.#writeSeries(known);
    else if (this.#recorded.size >= MOST_SERIES) this.#finish(this.#recorded.keys().next().value as string);
    this.#recorded.delete(key);
    this.#recorded.set(key, { event, controller, lastMs: now, writtenMs: now, writtenCount: 1 });
    this.#enqueue(controller, (events) => events.create(structuredClone(event), { signal: this.#stop.signal }));
    this.#cancelSweep ??= this.#parts.clock.after(SERIES_MS, () => this.#sweep());
  }

  /** Writes and discards completed series, and updates the counts of the others. */
  #sweep(): void {
    const now = this.#parts.clock.now();
    for (const [key, recorded] of this.#recorded) {
      if (now - recorded.lastMs >= SERIES_MS) this.#finish(key);
      else if (now - recorded.writtenMs >= REFRESH_MS) this.#writeSeries(recorded);
    }
    this.#cancelSweep = this.#recorded.size === 0 ? undefined : this.#parts.clock.after(SERIES_MS, () => this.#sweep());
  }

  #finish(key: string): void {
    const recorded = this.#recorded.get(key);
    if (recorded !== undefined) this.#writeSeries(recorded);
    this.#recorded.delete(key);
  }

  #writeSeries(recorded: Recorded): void {
    const { event, controller } = recorded;
    const { series } = event;
    if (series === undefined || series.count === recorded.writtenCount) return;
    recorded.writtenCount = series.count;
    recorded.writtenMs = this.#parts.clock.now();
    const { signal } = this.#stop;
    const whole = structuredClone(event);
    this.#enqueue(controller, async (events) => {
      try {
        await events.patch(event.metadata, { merge: { series: { ...series } } }, { signal });
      } catch (error) {
        // The server may have deleted the Event: Events expire after an hour.
        if (!isNotFound(error)) throw error;
        await events.create(whole, { signal });
      }
    });
  }

  /** Writes are sequential, so that an Event exists before its series is patched. */
  #enqueue(controller: string, write: (events: KindClient<Event>) => Promise<unknown>): void {
    const { client, metrics } = this.#parts;
    if (this.#waiting >= MOST_WAITING) return metrics.droppedEvent(controller);
    this.#waiting++;
    const events = client.with({ fieldManager: controller }).of(EVENTS);
    this.#writing = this.#writing
      .then(() => this.#attempt(() => write(events)))
      .catch((error: unknown) => this.#dropped(controller, error))
      .finally(() => this.#waiting--);
  }

  async #attempt(write: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#stop;
    for (let attempt = 1; ; attempt++) {
      try {
        await write();
        return;
      } catch (error) {
        if (error instanceof ApiError || attempt >= ATTEMPTS || signal.aborted) throw error;
        await waitFor(this.#parts.clock, RETRY_MS, signal);
      }
    }
  }

  #dropped(controller: string, error: unknown): void {
    const { metrics, log } = this.#parts;
    metrics.droppedEvent(controller);
    log(
      "warn",
      `${controller}: an Event could not be recorded: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function referenceTo({ apiVersion, kind, metadata }: EventObject) {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion, kind, name, uid, resourceVersion, ...(namespace !== undefined && { namespace }) };
}

/** Identity of the referenced object, without its resourceVersion. */
function identityOf(reference: Event["related"]): readonly unknown[] {
  return [reference?.apiVersion, reference?.kind, reference?.namespace, reference?.name, reference?.uid];
}

/** Returns a name for an Event. Names of some kinds, such as roles, are not valid Event names: a UUID is used instead. */
function nameOf(regarding: string, unique: string): string {
  const name = regarding.slice(0, LONGEST.name - unique.length) + unique;
  return checkSubdomain(name).length === 0 ? name : randomUUID();
}

/** Truncates a string to at most `most` bytes of UTF-8. */
function cut(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  let end = most;
  // Do not cut within a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}

function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("Z", "000Z");
}
