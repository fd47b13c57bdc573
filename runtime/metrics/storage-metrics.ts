import { setImmediate as nextTurn } from "node:timers/promises";
import { Histogram, type Metric, NumberMetric } from "./metric.ts";
import { LATENCY_BOUNDS } from "./request-metrics.ts";

/** A kind of stored objects, as far as its numbers go. */
export interface CountedKind {
  /** `deployments.apps`. */
  readonly resource: string;
  /** Revision and number of objects of its cache; undefined while that is not filled. */
  readonly cached: () => { readonly revision: number; readonly objects: number } | undefined;
  /** Number of objects, as the store counts them. */
  readonly count: () => Promise<number>;
}

/** Counts the store operations and events of one resource. */
export interface ResourceMeter {
  finished(operation: string, milliseconds: number): void;
  received(events: number): void;
}

/** How long object counts of the store are reused. */
const COUNT_FOR_MS = 60_000;

/** The store and the caches over it in numbers, under the names Kubernetes uses, whatever the store is. */
export class StorageMetrics {
  readonly #requests = new NumberMetric(
    "counter",
    "etcd_requests_total",
    "Number of requests to the store, by operation and type of object.",
    ["operation", "type"],
  );
  readonly #latency = new Histogram(
    "etcd_request_duration_seconds",
    "Duration of requests to the store, in seconds, by operation and type of object.",
    ["operation", "type"],
    LATENCY_BOUNDS,
  );
  readonly #events = new NumberMetric(
    "counter",
    "apiserver_storage_events_received_total",
    "Number of change events received from the store, by resource.",
    ["resource"],
  );
  readonly #objects = new NumberMetric("gauge", "apiserver_storage_objects", "Number of stored objects, by resource.", [
    "resource",
  ]);
  readonly #revisions = new NumberMetric(
    "gauge",
    "apiserver_watch_cache_resource_version",
    "Resource version up to which the watch cache is current, by resource.",
    ["resource"],
  );
  readonly #sizes = new NumberMetric("gauge", "apiserver_storage_size_bytes", "Size of the store on disk, in bytes.", [
    "storage_cluster_id",
  ]);
  readonly #counted = new Map<string, { readonly at: number; readonly objects: number }>();
  readonly #monotonic: () => number;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  get families(): readonly Metric[] {
    return [this.#requests, this.#latency, this.#events, this.#objects, this.#revisions, this.#sizes];
  }

  /** Counts what concerns one resource. */
  meterOf(resource: string): ResourceMeter {
    return {
      finished: (operation, milliseconds) => {
        this.#requests.add(1, operation, resource);
        this.#latency.observe(milliseconds / 1000, operation, resource);
      },
      received: (events) => this.#events.add(events, resource),
    };
  }

  /** Brings the numbers of objects and bytes up to date. */
  async collect(kinds: readonly CountedKind[], diskSizes: () => Promise<readonly number[]>): Promise<void> {
    // A store that cannot report its size must not keep other metrics from being shown.
    const sizes = await diskSizes().catch(() => []);
    for (const [index, size] of sizes.entries()) this.#sizes.set(size, `etcd-${index}`);
    for (const kind of kinds) {
      const cached = kind.cached();
      this.#objects.set(cached?.objects ?? (await this.#count(kind)), kind.resource);
      if (cached !== undefined) this.#revisions.set(cached.revision, kind.resource);
    }
  }

  async #count({ resource, count }: CountedKind): Promise<number> {
    const known = this.#counted.get(resource);
    if (known !== undefined && this.#monotonic() - known.at < COUNT_FOR_MS) return known.objects;
    const objects = await count();
    // The embedded store counts at once: requests have their turn between two of some hundred kinds.
    await nextTurn();
    this.#counted.set(resource, { at: this.#monotonic(), objects });
    return objects;
  }
}
