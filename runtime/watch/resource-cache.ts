import type { CacheWatch } from "./cache-watch.ts";
import type { CachedObject } from "./cached-object.ts";
import type { CacheWatchRequest, ListRequest, ListResult } from "./requests.ts";

/** The reading side of one resource, as handlers see it. Writes go straight to the store. */
export interface ResourceCache {
  /**
   * One object by its key, undefined when it does not exist. resourceVersion: empty is most recent,
   * `0` any, another not older than. Throws CorruptError, TooLargeResourceVersionError, BadRequestError, StoreError.
   */
  get(key: string, resourceVersion?: string): Promise<CachedObject | undefined>;

  /**
   * One object as the store has it, for resources that Kubernetes does not cache. It does not wait for a resourceVersion that the
   * store has not reached: throws TooLargeResourceVersionError at once, and BadRequestError for one that cannot be read.
   */
  getStored(key: string, resourceVersion: string): Promise<CachedObject | undefined>;

  /** What the store holds under a key, where the cache knows at once; undefined where it may be behind, or nothing is there. */
  present(key: string): CachedObject | undefined;

  /** Whether the store holds nothing of the resource, where the cache knows at once; false where it may be behind. */
  isEmpty(): boolean;

  /** Throws BadRequestError, InvalidOptionsError, ExpiredError, TooLargeResourceVersionError, CorruptError, StoreError. */
  list(request: ListRequest): Promise<ListResult>;

  /**
   * Opens a watch. Throws BadRequestError and InvalidOptionsError, which Kubernetes answers as plain errors, and
   * ExpiredError, TooLargeResourceVersionError and CorruptError, which it sends as an ERROR event of a 200 stream.
   */
  watch(request: CacheWatchRequest): Promise<CacheWatch>;

  /** Number of objects under a key prefix right now, without waiting; undefined before the cache was ever filled. */
  count(scope: string): number | undefined;

  close(): void;
}
