import { standsAlone } from "../../runtime/kinds/read-metadata.ts";
import { StoredValueCodec } from "../../runtime/kinds/stored-value-codec.ts";
import { openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import type { Store } from "../../runtime/store/store.ts";
import type { WatchCacheLimits } from "../../runtime/watch/cache-limits.ts";
import type { CacheWatch } from "../../runtime/watch/cache-watch.ts";
import type { CachedObject, PlainObject } from "../../runtime/watch/cached-object.ts";
import { ContinueTokens } from "../../runtime/watch/continue-token.ts";
import { MemoBudget } from "../../runtime/watch/memo-budget.ts";
import type { Selector } from "../../runtime/watch/requests.ts";
import { ResidentBudget } from "../../runtime/watch/resident-budget.ts";
import { WatchCache } from "../../runtime/watch/watch-cache.ts";
import { ManualClock, settle } from "./manual-clock.ts";

export const PREFIX = "/registry/things/";

interface Thing {
  readonly labels?: Readonly<Record<string, string>>;
  readonly phase?: string;
}

/** Returns a codec for objects that consist of a phase, a name and a namespace. */
export function thingCodec(budget = new MemoBudget(1 << 20)): StoredValueCodec {
  return new StoredValueCodec({
    reader: {
      budget,
      parse: (json) => JSON.parse(json.toString()) as PlainObject,
      stringify: JSON.stringify,
      standsAlone,
      selectableFields: (object) => {
        const { metadata, status } = object as { metadata: Record<string, string>; status?: { phase?: string } };
        return {
          "metadata.name": metadata.name ?? "",
          "metadata.namespace": metadata.namespace ?? "",
          "status.phase": status?.phase ?? "",
        };
      },
    },
  });
}

export interface FixtureOptions {
  readonly limits?: Partial<WatchCacheLimits>;
  readonly makeStore?: (clock: ManualClock) => Store;
}

/** A cache over an in-memory store with a manual clock, and short methods to write objects. */
export class CacheFixture {
  readonly clock = new ManualClock();
  readonly budget = new MemoBudget(1 << 20);
  /** Room for one or two objects. The others are read from the store again. */
  readonly residents = new ResidentBudget(200);
  readonly codec = thingCodec(this.budget);
  readonly store: Store;
  readonly cache: WatchCache;
  readonly #revisions = new Map<string, number>();

  constructor(options: FixtureOptions = {}) {
    this.store = options.makeStore?.(this.clock) ?? openMemoryStore({ clock: this.clock });
    this.cache = this.newCache(options.limits);
  }

  newCache(limits: Partial<WatchCacheLimits> = {}): WatchCache {
    const { store, clock, budget, residents, codec } = this;
    const tokens = new ContinueTokens(Buffer.from("a secret"));
    return new WatchCache({ store, prefix: PREFIX, codec, tokens, budget, residents, clock, random: () => 1, limits });
  }

  /** Creates or updates `namespace/name`. Returns the revision. */
  async put(path: string, thing: Thing = {}): Promise<number> {
    const [namespace, name] = path.split("/");
    const object = {
      apiVersion: "v1",
      kind: "Thing",
      metadata: { name, namespace, ...(thing.labels && { labels: thing.labels }) },
      ...(thing.phase && { status: { phase: thing.phase } }),
    };
    return this.putBytes(path, this.codec.encode(object));
  }

  async putBytes(path: string, value: Uint8Array): Promise<number> {
    const { revision } = await this.store.put(PREFIX + path, value, { expected: this.#revisions.get(path) ?? 0 });
    this.#revisions.set(path, revision);
    return revision;
  }

  async delete(path: string): Promise<number> {
    const { revision } = await this.store.delete(PREFIX + path, { expected: this.#revisions.get(path) ?? 0 });
    this.#revisions.delete(path);
    return revision;
  }

  /** Writes a key outside of the cache: the revision increases, the cache's objects do not change. */
  async putElsewhere(name: string): Promise<number> {
    return (await this.store.put(`/registry/others/${name}`, Buffer.from("x"), { expected: 0 })).revision;
  }
}

export function names(objects: Iterable<CachedObject>): string[] {
  return Array.from(objects, (object) => object.key.slice(PREFIX.length));
}

export function labelSelector(name: string, value: string, indexed = false): Selector {
  const matches = (object: CachedObject): boolean => object.labels[name] === value;
  return indexed ? { matches, hint: { kind: "label", name, value } } : { matches };
}

/** Returns all pending events of a watch as strings: `ADDED a/b@7`. */
export async function read(watch: CacheWatch): Promise<string[]> {
  await settle();
  const lines: string[] = [];
  for (let notices = watch.read(2); notices.length > 0; notices = watch.read(2)) {
    for (const notice of notices) {
      lines.push(
        notice.type === "BOOKMARK"
          ? `BOOKMARK${notice.initialEventsEnd ? " end of initial events" : ""} @${notice.revision}`
          : `${notice.type} ${notice.object.key.slice(PREFIX.length)}@${notice.object.modRevision}`,
      );
    }
  }
  return lines;
}
