export interface WatchCacheLimits {
  /** How long a read waits for a resourceVersion that the cache has not reached yet. */
  readonly freshnessTimeoutMs: number;
  /** How long a read waits for the cache to be filled. Restarts while loading makes progress. */
  readonly fillTimeoutMs: number;
  readonly snapshotRetentionMs: number;
  /** Maximum age and total memory of recent events. */
  readonly historyMs: number;
  readonly historyBytes: number;
  /** Memory for the framed bytes of watch events. */
  readonly frameBytes: number;
  /** Memory for objects that watches have not sent yet. */
  readonly backlogBytes: number;
  /** Maximum number of notices that may wait for one watcher. */
  readonly watchBuffer: number;
  readonly bookmarkIntervalMs: number;
  readonly bookmarkBeforeEndMs: number;
  /** An unfilled cache is filled after this many reads of single objects from the store. */
  readonly fillAfterGets: number;
}

export const DEFAULT_LIMITS: WatchCacheLimits = {
  freshnessTimeoutMs: 3000,
  fillTimeoutMs: 10_000,
  snapshotRetentionMs: 75_000,
  historyMs: 5 * 60_000,
  historyBytes: 16 * 1024 * 1024,
  frameBytes: 8 * 1024 * 1024,
  backlogBytes: 128 * 1024 * 1024,
  watchBuffer: 4096,
  bookmarkIntervalMs: 60_000,
  bookmarkBeforeEndMs: 2000,
  fillAfterGets: Number.POSITIVE_INFINITY,
};
