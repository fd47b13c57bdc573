import { setImmediate as nextTurn } from "node:timers/promises";
import { COMMIT_BOUNDS, type DataFileUse, type DiskUse } from "../contract/disk-use.ts";
import { Histogram, type Metric, NumberMetric } from "./metric.ts";
import { LATENCY_BOUNDS } from "./request-metrics.ts";

/** A kind of stored objects with its object counts. */
export interface CountedKind {
  /** For example `deployments.apps`. */
  readonly resource: string;
  /** Returns the revision of its cache and the number of objects in it; undefined while the cache is not filled. */
  readonly cached: () => { readonly revision: number; readonly objects: number } | undefined;
  /** Returns the number of objects in the store. */
  readonly count: () => Promise<number>;
}

/** Counts the store operations and events of one resource. */
export interface ResourceMeter {
  finished(operation: string, milliseconds: number, failed: boolean): void;
  received(events: number): void;
}

/** Milliseconds for which object counts of the store are reused. */
const COUNT_FOR_MS = 60_000;

/** Metrics of the store and of the caches over it, with the names that Kubernetes uses, for every type of store. */
export class StorageMetrics {
  readonly #requests = new NumberMetric(
    "counter",
    "etcd_requests_total",
    "Number of requests to the store, by operation and type of object.",
    ["operation", "type"],
  );
  readonly #errors = new NumberMetric(
    "counter",
    "etcd_request_errors_total",
    "Number of requests to the store that failed, by operation and type of object.",
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
  readonly #refusing = new NumberMetric(
    "gauge",
    "typeplane_etcd_space_exceeded",
    "1 if a member of etcd has the alarm NOSPACE, with which it refuses writes; 0 if not.",
    ["storage_cluster_id"],
  );
  readonly #file = new DataFileMetrics();
  readonly #counted = new Map<string, { readonly at: number; readonly objects: number }>();
  readonly #monotonic: () => number;

  /** `exists` returns whether a resource with this name is served. */
  constructor(monotonic: () => number, exists: (resource: string) => boolean) {
    this.#monotonic = monotonic;
    for (const family of [this.#requests, this.#errors, this.#latency])
      family.keepWhile(
        () =>
          ([, resource = ""]) =>
            exists(resource),
      );
    for (const family of [this.#events, this.#objects, this.#revisions])
      family.keepWhile(
        () =>
          ([resource = ""]) =>
            exists(resource),
      );
  }

  get families(): readonly Metric[] {
    const own = [
      this.#requests,
      this.#errors,
      this.#latency,
      this.#events,
      this.#objects,
      this.#revisions,
      this.#sizes,
      this.#refusing,
    ];
    return [...own, ...this.#file.families];
  }

  /** Returns the meter for one resource. */
  meterOf(resource: string): ResourceMeter {
    return {
      finished: (operation, milliseconds, failed) => {
        this.#requests.add(1, operation, resource);
        if (failed) this.#errors.add(1, operation, resource);
        this.#latency.observe(milliseconds / 1000, operation, resource);
      },
      received: (events) => this.#events.add(events, resource),
    };
  }

  /** Updates the numbers of objects and bytes. */
  async collect(kinds: readonly CountedKind[], diskUse: () => Promise<readonly DiskUse[]>): Promise<void> {
    // A store that cannot report its size must not prevent other metrics from being exposed.
    const places = await diskUse().catch(() => []);
    for (const [index, { sizeBytes, refusesWrites, file }] of places.entries()) {
      this.#sizes.set(sizeBytes, `etcd-${index}`);
      if (refusesWrites !== undefined) this.#refusing.set(refusesWrites ? 1 : 0, `etcd-${index}`);
      if (file !== undefined) this.#file.collect(file);
    }
    for (const kind of kinds) {
      const cached = kind.cached();
      this.#objects.set(cached?.objects ?? (await this.#count(kind)), kind.resource);
      if (cached !== undefined) this.#revisions.set(cached.revision, kind.resource);
    }
    const resources = new Set(kinds.map(({ resource }) => resource));
    for (const resource of this.#counted.keys()) if (!resources.has(resource)) this.#counted.delete(resource);
  }

  async #count({ resource, count }: CountedKind): Promise<number> {
    const known = this.#counted.get(resource);
    if (known !== undefined && this.#monotonic() - known.at < COUNT_FOR_MS) return known.objects;
    const objects = await count();
    // The embedded store counts synchronously: requests are processed between two of some hundred kinds.
    await nextTurn();
    this.#counted.set(resource, { at: this.#monotonic(), objects });
    return objects;
  }
}

/** Metrics of the embedded store's data file: disk space and sync durations. Without samples for etcd, which has its own metrics. */
class DataFileMetrics {
  readonly #limit = new NumberMetric(
    "gauge",
    "typeplane_storage_limit_bytes",
    "Largest size of the data file, in bytes.",
  );
  readonly #available = new NumberMetric(
    "gauge",
    "typeplane_storage_disk_available_bytes",
    "Free space of the file system with the data file, in bytes.",
  );
  readonly #disk = new NumberMetric(
    "gauge",
    "typeplane_storage_disk_size_bytes",
    "Size of the file system with the data file, in bytes.",
  );
  readonly #commits = new Histogram(
    "typeplane_storage_commit_duration_seconds",
    "Duration of commits to the data file, in seconds, with the sync to disk.",
    [],
    COMMIT_BOUNDS,
  );
  readonly #logFailures = new NumberMetric(
    "counter",
    "typeplane_change_log_write_failures_total",
    "Number of writes to the change log that failed. Without a sample unless --change-log-dir is set.",
  );
  readonly #logBehind = new NumberMetric(
    "gauge",
    "typeplane_change_log_behind_revisions",
    "Number of revisions of the data file that are not yet in the change log.",
  );
  readonly #failures = new NumberMetric(
    "counter",
    "typeplane_storage_commit_failures_total",
    "Number of commits to the data file that failed.",
  );

  get families(): readonly Metric[] {
    const log = [this.#logFailures, this.#logBehind];
    return [this.#limit, this.#available, this.#disk, this.#commits, this.#failures, ...log];
  }

  collect({ limitBytes, availableBytes, diskBytes, commits, changeLog }: DataFileUse): void {
    if (changeLog !== undefined) {
      this.#logFailures.set(changeLog.failures);
      this.#logBehind.set(changeLog.behind);
    }
    this.#limit.set(limitBytes);
    this.#available.set(availableBytes);
    this.#disk.set(diskBytes);
    this.#failures.set(commits.failures);
    const times = this.#commits.of();
    times.counts.splice(0, commits.counts.length, ...commits.counts);
    times.count = commits.count;
    times.sum = commits.sumSeconds;
  }
}
