import type { CachedObject } from "./cached-object.ts";

/** A compiled label and field selection. */
export interface Selector {
  matches(object: CachedObject): boolean;
  /**
   * An equality that every matching object fulfils. The cache keeps an index for it and only looks at the objects the
   * index names; `matches` still decides.
   */
  readonly hint?: SelectorHint;
  /** Whether `matches` reads the bytes of an object that is not in memory; absent if it never does. */
  readonly reads?: (object: CachedObject) => boolean;
}

export interface SelectorHint {
  readonly kind: "label" | "field";
  readonly name: string;
  readonly value: string;
}

/** Query parameters as the client sent them; absent and empty mean the same. */
export interface ListRequest {
  /** Key prefix within the resource: the resource's own, or one namespace's, ending with a slash; or one key (`single`). */
  readonly scope: string;
  /** `scope` is the key of the only object that can match. Not together with `continue`. */
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
  /** Only when more items follow and nothing was filtered out. */
  readonly remainingItemCount: number | undefined;
}

export interface CacheWatchRequest {
  /** Key prefix within the resource, or the whole key of one object (`single`). */
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
