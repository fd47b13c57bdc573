import { setTimeout } from "node:timers";
import type { ApiObject, ObjectMeta } from "../../contract/api-object.ts";
import type { ExistingObject, MemberPath, ObjectChange } from "../../contract/object-access.ts";
import { readMetadata } from "../../kinds/read-metadata.ts";
import type { StoredKind } from "../../kinds/served-resource.ts";
import { restAfter } from "../../lib/in-turns.ts";
import type { CacheWatch } from "../../watch/cache-watch.ts";
import type { CachedObject } from "../../watch/cached-object.ts";
import { ExpiredError } from "../../watch/errors.ts";
import { windowsToRead } from "../../watch/read-ahead.ts";

const REOPEN_AFTER_MS = 500;
/** Maximum number of attempts at the start: history may be compacted between the list and the watch. */
const MOST_ATTEMPTS = 10;

/**
 * Reports the current objects for which `concerns` returns true, then every change. Continues across watches that end and caches that are
 * replaced.
 */
export async function followCache(
  find: () => Promise<StoredKind>,
  listener: (change: ObjectChange) => void,
  concerns: (existing: ExistingObject) => boolean = () => true,
): Promise<() => void> {
  const follower = new CacheFollower(find, listener, concerns);
  await follower.start();
  return () => follower.stop();
}

class CacheFollower {
  readonly #find: () => Promise<StoredKind>;
  readonly #listener: (change: ObjectChange) => void;
  readonly #concerns: (existing: ExistingObject) => boolean;
  readonly #known = new Map<string, CachedObject>();
  #isStopped = false;
  #watch: CacheWatch | undefined;

  constructor(
    find: () => Promise<StoredKind>,
    listener: (change: ObjectChange) => void,
    concerns: (existing: ExistingObject) => boolean,
  ) {
    this.#find = find;
    this.#listener = listener;
    this.#concerns = concerns;
  }

  async start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#open();
      } catch (error) {
        // History was compacted between the list and the watch.
        if (!(error instanceof ExpiredError) || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#watch?.close();
  }

  async #open(): Promise<void> {
    const { cache, prefix } = await this.#find();
    const list = await cache.list({ scope: prefix });
    await this.#tellPresent(list.items);
    if (this.#isStopped) return;
    const resourceVersion = String(list.resourceVersion);
    const watch = await cache.watch({ scope: prefix, resourceVersion, allowBookmarks: false });
    this.#watch = watch;
    watch.onReadable(() => this.#drain(watch));
    this.#drain(watch);
  }

  #drain(watch: CacheWatch): void {
    for (let notices = watch.read(); notices.length > 0; notices = watch.read()) {
      for (const notice of notices) {
        if (notice.type !== "BOOKMARK") this.#tell(notice.type === "DELETED" ? "delete" : "put", notice.object);
      }
    }
    if (watch.ended !== undefined && !this.#isStopped) this.#reopen();
  }

  /** Reopens a watch that has ended. Retries while the store is unavailable. */
  #reopen(): void {
    this.#open().catch(() => {
      if (!this.#isStopped) setTimeout(() => this.#reopen(), REOPEN_AFTER_MS).unref();
    });
  }

  #tell(type: "put" | "delete", cached: CachedObject): void {
    if (type === "put") this.#known.set(cached.key, cached);
    else this.#known.delete(cached.key);
    this.#listener(new CachedChange(type, cached));
  }

  /** Reports the current objects, in several turns of the event loop: listeners read all of them, and some are not in memory. */
  async #tellPresent(items: readonly CachedObject[]): Promise<void> {
    let began = performance.now();
    let last: Promise<void> | undefined;
    for (const step of this.#tellingSteps(items)) {
      // Does not yield after the last object, so that the watch begins at once.
      if (last !== undefined) {
        await last;
        if (this.#isStopped) return;
        began = performance.now();
      }
      last = step ?? restAfter(began);
    }
  }

  /** Reports objects in steps. After each step the caller may continue in another turn; if the step is a promise, it must wait for it. */
  *#tellingSteps(items: readonly CachedObject[]): Generator<Promise<void> | undefined, void, void> {
    const isFirst = this.#known.size === 0;
    if (!isFirst) yield* this.#deletionSteps(items);
    const told: CachedObject[] = [];
    for (const item of items) {
      if (this.#known.get(item.key)?.modRevision === item.modRevision) continue;
      if (!isFirst || this.#concerns(new Existing(item))) told.push(item);
      else this.#known.set(item.key, item);
      yield undefined;
    }
    for (const window of windowsToRead(told)) {
      yield window?.ready;
      for (const item of window?.objects ?? []) {
        yield undefined;
        this.#tell("put", item);
      }
    }
  }

  /** Reports the deletion of known objects that are no longer present. */
  *#deletionSteps(items: readonly CachedObject[]): Generator<undefined, void, void> {
    const present = new Set<string>();
    for (const { key } of items) {
      present.add(key);
      yield undefined;
    }
    for (const [key, cached] of this.#known) {
      if (!present.has(key)) this.#tell("delete", cached);
      yield undefined;
    }
  }
}

class Existing implements ExistingObject {
  readonly #cached: CachedObject;

  constructor(cached: CachedObject) {
    this.#cached = cached;
  }

  get name(): string {
    return nameIn(this.#cached.key);
  }

  get standsAlone(): boolean {
    return this.#cached.standsAlone;
  }
}

function nameIn(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

/** Parses only the parts of an object that the follower reads: most changes are irrelevant to most followers. */
class CachedChange implements ObjectChange {
  readonly type: "put" | "delete";
  readonly #cached: CachedObject;

  constructor(type: "put" | "delete", cached: CachedObject) {
    this.type = type;
    this.#cached = cached;
  }

  get name(): string {
    return nameIn(this.#cached.key);
  }

  get object(): ApiObject {
    return this.#cached.object as unknown as ApiObject;
  }

  get objectOnce(): ApiObject {
    return this.#cached.objectOnce as unknown as ApiObject;
  }

  objectWithout(paths: readonly MemberPath[]): ApiObject {
    return this.#cached.objectWithout(paths) as unknown as ApiObject;
  }

  get metadata(): ObjectMeta {
    return metadataOf(this.#cached);
  }
}

/** The metadata of an object without managedFields. Usually does not parse the rest of the object. */
export function metadataOf(cached: CachedObject): ObjectMeta {
  return readMetadata(cached.jsonOnce) ?? (cached.objectOnce as unknown as ApiObject).metadata;
}
