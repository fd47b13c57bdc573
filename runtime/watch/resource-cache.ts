import type { CacheWatch } from "./cache-watch.ts";
import type { CachedObject } from "./cached-object.ts";
import type { CacheWatchRequest, ListRequest, ListResult } from "./requests.ts";

/** Read access to one resource, for handlers. Writes go directly to the store. */
export interface ResourceCache {
  /**
   * Returns one object by its key; undefined if it does not exist. resourceVersion: empty for the most recent state, `0` for any state,
   * otherwise for a state that is not older. Throws CorruptError, TooLargeResourceVersionError, BadRequestError, StoreError.
   */
  get(key: string, resourceVersion?: string): Promise<CachedObject | undefined>;

  /**
   * Returns one object from the store, for resources that Kubernetes does not cache. Does not wait for a resourceVersion that the store has
   * not reached: throws TooLargeResourceVersionError at once, and BadRequestError if the resourceVersion is invalid.
   */
  getStored(key: string, resourceVersion: string): Promise<CachedObject | undefined>;

  /** The object that the store has under a key, if the cache is certainly up to date. Undefined if it may be behind, or if there is no object. */
  present(key: string): CachedObject | undefined;

  /** Whether the store has no objects of the resource, if the cache is certainly up to date. False if it may be behind. */
  isEmpty(): boolean;

  /** Throws BadRequestError, InvalidOptionsError, ExpiredError, TooLargeResourceVersionError, CorruptError, StoreError. */
  list(request: ListRequest): Promise<ListResult>;

  /**
   * Opens a watch. Throws BadRequestError and InvalidOptionsError, which Kubernetes returns as error responses, and ExpiredError,
   * TooLargeResourceVersionError and CorruptError, which it sends as an ERROR event of a 200 stream.
   */
  watch(request: CacheWatchRequest): Promise<CacheWatch>;

  /** Number of objects under a key prefix right now, without waiting. Undefined while the cache is not filled. */
  count(scope: string): number | undefined;

  close(): void;
}
