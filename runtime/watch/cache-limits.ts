export interface WatchCacheLimits {
  /** How long a read waits for a version that has not been seen yet. */
  readonly freshnessTimeoutMs: number;
  /** How long a read waits for the cache to be filled. */
  readonly fillTimeoutMs: number;
  readonly snapshotRetentionMs: number;
  /** How long, and in how much memory, recent events are kept. */
  readonly historyMs: number;
  readonly historyBytes: number;
  /** Memory for the framed bytes of events. */
  readonly frameBytes: number;
  /** Memory for objects that watches have still to send. */
  readonly backlogBytes: number;
  /** Notices that may wait for one watcher. */
  readonly watchBuffer: number;
  readonly bookmarkIntervalMs: number;
  readonly bookmarkBeforeEndMs: number;
  /** A cache that nothing has filled is filled when so many objects were read from the store one by one. */
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
