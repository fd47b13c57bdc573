import { type Metric, NumberMetric } from "./metric.ts";

/** Memory for values that can be made again, which drops some of them when it is full. */
export interface CacheMemory {
  readonly usedBytes: number;
  readonly limitBytes: number;
  /** Values dropped, or not kept, because the limit was reached. */
  readonly dropped: number;
}

/** How full the memories of the server are. Updated when the metrics are read. */
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
