/**
 * A history of concurrent requests to servers. Every write stores a value that no other write stores, so that a value names the write
 * that stored it, and the state of an object is its value, or `undefined` while it does not exist.
 */
export interface History {
  readonly operations: readonly Operation[];
  readonly lists: readonly ListRead[];
  readonly watches: readonly WatchRecord[];
}

/** A request for one object. Times are from one monotonic clock. */
export interface Operation {
  readonly key: string;
  readonly action: Action;
  readonly called: number;
  /** Infinity if there was no response: the write may have happened, or may still happen. */
  readonly returned: number;
  readonly outcome: Outcome;
}

export type Action =
  | { readonly verb: "create"; readonly value: string }
  /** Replaces the object, regardless of its value or only if it has the value `expected`. */
  | { readonly verb: "update"; readonly expected?: string; readonly value: string }
  /** Creates the object, or replaces it if it has the value `expected`: server-side apply with a resourceVersion. */
  | { readonly verb: "apply"; readonly expected: string; readonly value: string }
  /** Deletes the object, regardless of its value or only if it has the value `expected`. */
  | { readonly verb: "delete"; readonly expected?: string }
  | { readonly verb: "get" };

export type Outcome =
  /** For a get: the value that was read. A deletion returns no revision. */
  | { readonly result: "ok"; readonly value?: string; readonly revision?: number }
  /** The object did not exist. */
  | { readonly result: "absent" }
  /** A create found an existing object, or the object had another value than `expected`. */
  | { readonly result: "conflict" }
  | { readonly result: "unknown" };

/** A list of all objects. */
export interface ListRead {
  readonly called: number;
  readonly returned: number;
  readonly revision: number;
  readonly items: ReadonlyMap<string, { readonly value: string; readonly revision: number }>;
}

/** One watcher, with all of its connections. */
export interface WatchRecord {
  readonly name: string;
  readonly steps: readonly WatchStep[];
}

export type WatchStep =
  /**
   * Start of a connection, which must send everything after this revision. `listed`: it follows a list, because the previous revision was
   * compacted.
   */
  | { readonly step: "start"; readonly revision: number; readonly listed?: true }
  | {
      readonly step: "event";
      readonly type: "ADDED" | "MODIFIED" | "DELETED";
      readonly key: string;
      /** The new value; for a deletion the last one. */
      readonly value: string;
      readonly revision: number;
    }
  | { readonly step: "bookmark"; readonly revision: number };

export type WatchEvent = Extract<WatchStep, { step: "event" }>;
