import { type Metric, NumberMetric } from "./metric.ts";

/** Memory of a cache, which drops some of its values when it is full. They can be computed again. */
export interface CacheMemory {
  readonly usedBytes: number;
  readonly limitBytes: number;
  /** Number of values that were dropped, or not cached, because of the limit. */
  readonly dropped: number;
}

/** Memory usage of caches. Updated when the metrics are read. */
export class CacheMetrics {
  readonly #used = new NumberMetric("gauge", "typeplane_cache_used_bytes", "Bytes kept in a cache, by cache.", [
    "cache",
  ]);
  readonly #limit = new NumberMetric(
    "gauge",
    "typeplane_cache_limit_bytes",
    "Bytes that a cache keeps at most, by cache. That of encodings grows with the stored objects.",
    ["cache"],
  );
  readonly #dropped = new NumberMetric(
    "counter",
    "typeplane_cache_dropped_total",
    "Number of values that a full cache dropped or did not keep, by cache.",
    ["cache"],
  );

  get families(): readonly Metric[] {
    return [this.#used, this.#limit, this.#dropped];
  }

  collect(caches: Readonly<Record<string, CacheMemory>>): void {
    for (const [name, { usedBytes, limitBytes, dropped }] of Object.entries(caches)) {
      this.#used.set(usedBytes, name);
      this.#limit.set(limitBytes, name);
      this.#dropped.set(dropped, name);
    }
  }
}
