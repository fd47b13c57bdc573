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

/** Records Events about one object. They are written in the background; a failure is logged, and ends nothing. */
export interface Events {
  /** `reason` is CamelCase and for machines; `note` is for people, and may differ between repetitions of an Event. */
  normal(reason: string, note: string, options?: EventOptions): void;
  warning(reason: string, note: string, options?: EventOptions): void;
}

export interface EventOptions {
  /** What the controller did or tried to do; `Reconcile` by default. */
  readonly action?: string;
  /** A second object that is involved. */
  readonly related?: EventObject;
}

/** An object that the server returned. */
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
/** A repetition within this time belongs to the series of an Event; a series is completed after it. As in client-go. */
const SERIES_MS = 6 * 60_000;
/** How often the numbers of a series that goes on are written. */
const REFRESH_MS = 30 * 60_000;
const RETRY_MS = 10_000;
const ATTEMPTS = 12;
const MOST_WAITING = 1000;
const MOST_SERIES = 4096;
/** In bytes. */
const LONGEST = { note: 1024, word: 128, name: 253 };

/** An Event that was written, and its repetitions. */
interface Recorded {
  readonly event: NewEvent;
  readonly controller: string;
  lastMs: number;
  writtenMs: number;
  /** Of which the server knows. */
  writtenCount: number;
}

/**
 * Writes Events of `events.k8s.io/v1`. Those that are alike but for their note become one: the second begins a series, which further ones
 * only count; the number is written when the series has ended, and every half an hour before.
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

  /** Events that a controller reports about an object. */
  about(controller: string, regarding: EventObject): Events {
    const record = (type: "Normal" | "Warning", reason: string, note: string, options: EventOptions = {}): void =>
      this.#record(controller, this.#describe(controller, regarding, { type, reason, note, ...options }));
    return {
      normal: (reason, note, options) => record("Normal", reason, note, options),
      warning: (reason, note, options) => record("Warning", reason, note, options),
    };
  }

  /** Resolves when nothing waits to be written. */
  async flushed(): Promise<void> {
    while (this.#waiting > 0) await this.#writing;
  }

  /** Completes all series, and resolves when everything is written. */
  async stop(): Promise<void> {
    this.#cancelSweep?.();
    for (const recorded of this.#recorded.values()) this.#writeSeries(recorded);
    this.#recorded.clear();
    await this.flushed();
  }

  /** Gives up on what is not written yet. */
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

  /** Completes series that have ended, and refreshes those that go on. */
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
        // The server deletes Events after an hour.
        if (!isNotFound(error)) throw error;
        await events.create(whole, { signal });
      }
    });
  }

  /** One after the other, so that an Event is there before its series. */
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

/** The object of a reference, whatever its version. */
function identityOf(reference: Event["related"]): readonly unknown[] {
  return [reference?.apiVersion, reference?.kind, reference?.namespace, reference?.name, reference?.uid];
}

/** Names of some kinds, such as those of roles, are none for Events. */
function nameOf(regarding: string, unique: string): string {
  const name = regarding.slice(0, LONGEST.name - unique.length) + unique;
  return checkSubdomain(name).length === 0 ? name : randomUUID();
}

/** As much of a text as fits into so many bytes. */
function cut(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  let end = most;
  // Not within a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}

function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("Z", "000Z");
}
