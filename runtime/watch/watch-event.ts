import type { CachedObject } from "./cached-object.ts";
import type { ObjectCodec } from "./codec.ts";
import type { Memo, MemoBudget, MemoHolder } from "./memo-budget.ts";

/** Measured memory of an event besides its JSON: the objects, strings and notices around it. */
const EVENT_OVERHEAD_BYTES = 1000;

/** A change of an object as a watcher sees it. All watchers that see the change the same way share one instance. */
export class ObjectNotice implements MemoHolder {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** For DELETED: the last state, with the resourceVersion of the deletion. */
  readonly object: CachedObject;
  readonly revision: number;
  memos: Memo | undefined = undefined;
  readonly #budget: MemoBudget | undefined;

  /** Without a budget, frames are not cached: for a notice that only one watcher receives. */
  constructor(type: ObjectNotice["type"], object: CachedObject, revision: number, budget?: MemoBudget) {
    this.type = type;
    this.object = object;
    this.revision = revision;
    this.#budget = budget;
  }

  get key(): string {
    return this.object.key;
  }

  /** Whether frames are cached for other watchers. */
  get isShared(): boolean {
    return this.#budget !== undefined;
  }

  /** The framed bytes for one combination of version and media type, made by the first watcher that needs them. */
  frame(name: string, make: (notice: ObjectNotice) => Uint8Array): Uint8Array {
    return this.#budget === undefined ? make(this) : this.#budget.remember(this, name, () => make(this), lengthOf);
  }
}

function lengthOf({ length }: Uint8Array): number {
  return length;
}

/** All changes up to `revision` have been sent. `initialEventsEnd` marks the bookmark that ends a streaming list. */
export interface BookmarkNotice {
  readonly type: "BOOKMARK";
  readonly revision: number;
  readonly initialEventsEnd: boolean;
}

export type WatchNotice = ObjectNotice | BookmarkNotice;

/** One change of the store with the states before and after it. Each notice for watchers is made at most once. */
export class CacheEvent {
  readonly key: string;
  readonly revision: number;
  /** When the cache received the event, in milliseconds. */
  readonly time: number;
  readonly current: CachedObject | undefined;
  readonly previous: CachedObject | undefined;
  readonly #codec: ObjectCodec;
  readonly #budget: MemoBudget;
  #added: ObjectNotice | undefined;
  #modified: ObjectNotice | undefined;
  #deleted: ObjectNotice | undefined;

  constructor(
    change: Pick<CacheEvent, "key" | "revision" | "time" | "current" | "previous">,
    codec: ObjectCodec,
    budget: MemoBudget,
  ) {
    this.key = change.key;
    this.revision = change.revision;
    this.time = change.time;
    this.current = change.current;
    this.previous = change.previous;
    this.#codec = codec;
    this.#budget = budget;
  }

  /**
   * The notice for a watcher that selects objects with `matches`, or all objects: entering the selection is ADDED, leaving it is DELETED.
   * Undefined if the change does not concern the watcher.
   */
  noticeFor(matches: ((object: CachedObject) => boolean) | undefined): ObjectNotice | undefined {
    const { current, previous } = this;
    const now = current !== undefined && (matches === undefined || matches(current));
    const before =
      previous !== undefined && previous.corruption === undefined && (matches === undefined || matches(previous));
    if (now) return before ? this.#modifiedNotice(current) : this.#addedNotice(current);
    return before ? this.#deletedNotice(previous) : undefined;
  }

  /** Bytes that keeping this event costs: one object state that only the event references, and overhead. */
  get cost(): number {
    return ((this.current ?? this.previous)?.size ?? 0) + EVENT_OVERHEAD_BYTES;
  }

  /** The notices made so far. */
  get notices(): readonly ObjectNotice[] {
    return [this.#added, this.#modified, this.#deleted].filter((notice) => notice !== undefined);
  }

  #addedNotice(object: CachedObject): ObjectNotice {
    this.#added ??= new ObjectNotice("ADDED", object, this.revision, this.#budget);
    return this.#added;
  }

  #modifiedNotice(object: CachedObject): ObjectNotice {
    this.#modified ??= new ObjectNotice("MODIFIED", object, this.revision, this.#budget);
    return this.#modified;
  }

  #deletedNotice(previous: CachedObject): ObjectNotice {
    this.#deleted ??= new ObjectNotice(
      "DELETED",
      this.#codec.withRevision(previous, this.revision),
      this.revision,
      this.#budget,
    );
    return this.#deleted;
  }
}
