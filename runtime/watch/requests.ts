import type { CachedObject } from "./cached-object.ts";

/** A compiled label and field selector. */
export interface Selector {
  matches(object: CachedObject): boolean;
  /**
   * An equality that every matching object fulfills. The cache keeps an index for it and scans only the objects in that index; `matches`
   * still decides.
   */
  readonly hint?: SelectorHint;
  /** Whether `matches` must read the bytes of an object that is not in memory. Absent if it never does. */
  readonly reads?: (object: CachedObject) => boolean;
}

export interface SelectorHint {
  readonly kind: "label" | "field";
  readonly name: string;
  readonly value: string;
}

/** Query parameters as the client sent them; absent and empty are equivalent. */
export interface ListRequest {
  /** Key prefix of the resource or of one namespace, ending with a slash; or the key of one object (`single`). */
  readonly scope: string;
  /** `scope` is the key of the only object that can match. Excludes `continue`. */
  readonly single?: boolean;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly selector?: Selector;
}

export interface ListResult {
  readonly items: readonly CachedObject[];
  readonly resourceVersion: number;
  readonly continue: string | undefined;
  /** Set only if more items follow and no selector was used. */
  readonly remainingItemCount: number | undefined;
}

export interface CacheWatchRequest {
  /** Key prefix within the resource, or the key of one object (`single`). */
  readonly scope: string;
  /** `scope` is the key of one object. */
  readonly single?: boolean;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly allowBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
  readonly selector?: Selector;
}
