import { formatGroupResource } from "../contract/group-version.ts";
import { Histogram, type Metric, NumberMetric } from "./metric.ts";

const LABELS = ["group", "version", "kind"];
/** From 1 to 128 KiB. */
const SIZE_BOUNDS = Array.from({ length: 8 }, (_, power) => 1024 * 2 ** power);

/** Counts what one watch sends. */
export interface WatchMeter {
  /** Records the sizes of events that were sent together. */
  sent(sizes: readonly number[]): void;
  /** Records that the watch was closed because its client did not read fast enough. */
  terminated(): void;
}

/** The fields of a kind's descriptor that are used as labels. */
export interface WatchedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
}

/** Metrics of events sent to watches. A watch gets its meter once: events are too frequent for a lookup of labels each. */
export class WatchMetrics {
  readonly #events = new NumberMetric(
    "counter",
    "apiserver_watch_events_total",
    "Number of events sent to watches, by kind.",
    LABELS,
  );
  readonly #sizes = new Histogram(
    "apiserver_watch_events_sizes",
    "Size of events sent to watches, in bytes, by kind.",
    LABELS,
    SIZE_BOUNDS,
  );

  readonly #terminated = new NumberMetric(
    "counter",
    "apiserver_terminated_watchers_total",
    "Number of watches closed because the client did not read fast enough, by resource.",
    ["resource"],
  );

  /** `served` returns whether a kind, or a resource by its name, is served. */
  constructor(served: {
    readonly kind: (group: string, version: string, kind: string) => boolean;
    readonly resource: (name: string) => boolean;
  }) {
    for (const family of [this.#events, this.#sizes])
      family.keepWhile(
        () =>
          ([group = "", version = "", kind = ""]) =>
            served.kind(group, version, kind),
      );
    this.#terminated.keepWhile(
      () =>
        ([resource = ""]) =>
          served.resource(resource),
    );
  }

  get families(): readonly Metric[] {
    return [this.#events, this.#sizes, this.#terminated];
  }

  meterOf({ group, version, kind, resource }: WatchedKind): WatchMeter {
    const events = this.#events.of(group, version, kind);
    const sizes = this.#sizes.of(group, version, kind);
    return {
      sent: (bytes) => {
        events.value += bytes.length;
        for (let index = 0; index < bytes.length; index++) sizes.observe(bytes[index] as number);
      },
      terminated: () => this.#terminated.add(1, formatGroupResource({ group, resource })),
    };
  }
}
