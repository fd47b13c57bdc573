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
/** Lists and watches at the start whose history may be compacted in between. */
const MOST_ATTEMPTS = 10;

/** Reports the current objects that `concerns` says, then every change, across watches that end and caches that are replaced. */
export async function followCache(
  find: () => Promise<StoredKind>,
  listener: (change: ObjectChange) => void,
  concerns: (existing: ExistingObject) => boolean = () => true,
): Promise<() => void> {
  let stopped = false;
  let watch: CacheWatch | undefined;
  const known = new Map<string, CachedObject>();

  const tell = (type: "put" | "delete", cached: CachedObject): void => {
    if (type === "put") {
      known.set(cached.key, cached);
    } else {
      known.delete(cached.key);
    }
    listener(new CachedChange(type, cached));
  };

  /** In turns of the event loop: of many objects, listeners read all, and some objects are not in memory. */
  const tellPresent = async (items: readonly CachedObject[]): Promise<void> => {
    let began = performance.now();
    let last: Promise<void> | undefined;
    for (const step of tellingSteps(items)) {
      // After the last one the watch begins at once: nobody waits for changes in between.
      if (last !== undefined) {
        await last;
        if (stopped) return;
        began = performance.now();
      }
      last = step ?? restAfter(began);
    }
  };

  /** After each step the caller may go on in another turn, and must if it is a promise. */
  function* tellingSteps(items: readonly CachedObject[]): Generator<Promise<void> | undefined, void, void> {
    const isFirst = known.size === 0;
    if (!isFirst) yield* deletionSteps(items);
    const told: CachedObject[] = [];
    for (const item of items) {
      if (known.get(item.key)?.modRevision === item.modRevision) continue;
      if (!isFirst || concerns(new Existing(item))) told.push(item);
      else known.set(item.key, item);
      yield undefined;
    }
    for (const window of windowsToRead(told)) {
      yield window?.ready;
      for (const item of window?.objects ?? []) {
        yield undefined;
        tell("put", item);
      }
    }
  }

  /** Tells of known objects that are not among those present. */
  function* deletionSteps(items: readonly CachedObject[]): Generator<undefined, void, void> {
    const present = new Set<string>();
    for (const { key } of items) {
      present.add(key);
      yield undefined;
    }
    for (const [key, cached] of known) {
      if (!present.has(key)) tell("delete", cached);
      yield undefined;
    }
  }

  const open = async (): Promise<void> => {
    const { cache, prefix } = await find();
    const list = await cache.list({ scope: prefix });
    await tellPresent(list.items);
    if (stopped) return;
    watch = await cache.watch({
      scope: prefix,
      resourceVersion: String(list.resourceVersion),
      allowBookmarks: false,
    });
    const current = watch;
    const drain = (): void => {
      for (let notices = current.read(); notices.length > 0; notices = current.read()) {
        for (const notice of notices) {
          if (notice.type !== "BOOKMARK") {
            tell(notice.type === "DELETED" ? "delete" : "put", notice.object);
          }
        }
      }
      if (current.ended !== undefined && !stopped) {
        reopen();
      }
    };
    current.onReadable(drain);
    drain();
  };

  /** Reopens a watch that ended; retries while the store is unavailable. */
  const reopen = (): void => {
    open().catch(() => {
      if (!stopped) {
        setTimeout(reopen, REOPEN_AFTER_MS).unref();
      }
    });
  };

  for (let attempt = 1; ; attempt++) {
    try {
      await open();
      break;
    } catch (error) {
      // History was compacted between the list and the watch.
      if (!(error instanceof ExpiredError) || attempt === MOST_ATTEMPTS) throw error;
    }
  }
  return () => {
    stopped = true;
    watch?.close();
  };
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

/** Without managedFields, and without parsing the rest of the object. */
export function metadataOf(cached: CachedObject): ObjectMeta {
  return readMetadata(cached.jsonOnce) ?? (cached.objectOnce as unknown as ApiObject).metadata;
}
