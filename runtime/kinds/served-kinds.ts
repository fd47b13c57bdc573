import { conversions, hooks, readConversions } from "../../generated/registry.ts";
import type { ApiObject } from "../contract/api-object.ts";
import type { KindHooks } from "../contract/kind-hooks.ts";
import type { GroupVersion } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";
import { parseJson } from "../encoding/json/parse-json.ts";
import type { Log } from "../lib/log.ts";
import type { Progress } from "../lib/slow-progress.ts";
import type { CountedKind } from "../metrics/storage-metrics.ts";
import type { Platform } from "../server/platform.ts";
import type { ServerConfig } from "../server/server-config.ts";
import type { Encryption } from "../store/encryption/load-encryption.ts";
import { MeasuredStore, type StoreMeter } from "../store/measured-store.ts";
import { keyRootOf } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { unknownPath } from "../values/status-errors.ts";
import type { BacklogBudget } from "../watch/backlog-budget.ts";
import { DEFAULT_LIMITS } from "../watch/cache-limits.ts";
import type { ObjectCodec } from "../watch/codec.ts";
import { ContinueTokens } from "../watch/continue-token.ts";
import { type EventMemory, newEventMemory } from "../watch/event-memory.ts";
import { MemoBudget } from "../watch/memo-budget.ts";
import { WatchCache } from "../watch/watch-cache.ts";
import { ApiSurface, type ResourceEntry } from "./api-surface.ts";
import { carriedAnnotations, carriedDomains } from "./conversion/carried-fields.ts";
import { createConverters } from "./conversion/create-converters.ts";
import { CustomKinds } from "./custom/custom-kinds.ts";
import type { CustomDefinition } from "./custom/definition/custom-definition.ts";
import { DEFINITION_TYPE, withDefinitionChecks } from "./custom/definition-hooks.ts";
import { registryPrefix } from "./registry-key.ts";
import { createResourceEntries } from "./resource-entries.ts";
import type { ServedResource, StoredKind } from "./served-resource.ts";

/** Memory for encodings that are kept beside objects. */
const BYTES_FOR_ENCODINGS = 32 * 1024 * 1024;

export interface KindsParts {
  readonly store: Store;
  readonly encryption: Encryption;
  /** Counts requests to the store by resource: `deployments.apps`. Absent: not counted. */
  readonly meterOf?: (resource: string) => StoreMeter;
  readonly log?: Log;
}

/** Everything served, over one store: the kinds of the definitions, and those that come and go as objects. */
export class ServedKinds {
  readonly #platform: Platform;
  readonly #entries: readonly ResourceEntry[];
  readonly #custom: CustomKinds;
  readonly #caches = new Map<WatchCache, string>();
  readonly #budget = new MemoBudget(BYTES_FOR_ENCODINGS);
  readonly #eventMemory: EventMemory;
  readonly #store: Store;
  readonly #keyRoot: string;
  #surface: ApiSurface;

  constructor(platform: Platform, config: ServerConfig, { store, encryption, meterOf, log }: KindsParts) {
    this.#platform = platform;
    this.#store = store;
    this.#keyRoot = keyRootOf(config);
    const { catalogue, served, schemas, mediaTypes, gates } = platform;
    const budget = this.#budget;
    const eventMemory = newEventMemory({ ...DEFAULT_LIMITS, backlogBytes: config.budgets.watchBacklogBytes });
    this.#eventMemory = eventMemory;
    const tokens = new ContinueTokens(store.identity, (json) => parseJson(json).value);
    const common = {
      schemas,
      storeFor: (group: string, resource: string): Store => {
        const meter = meterOf?.(resourceName(group, resource));
        return meter === undefined ? store : new MeasuredStore(store, meter, () => performance.now());
      },
      budget,
      transformerFor: (group: string, resource: string) => encryption.transformerFor(group, resource),
      metaGroup: mediaTypes.metaGroup,
      keyRoot: this.#keyRoot,
      storedAs: config.etcd === undefined ? "json" : "protobuf",
      openCache: (prefix: string, codec: ObjectCodec, measured: Store): WatchCache => {
        const limits = gates.enabled("ListFromCacheSnapshot") ? {} : { snapshotRetentionMs: 0 };
        const cache = new WatchCache({
          store: measured,
          prefix,
          codec,
          tokens,
          budget,
          eventMemory,
          limits,
          ...(log && { onLoading: tellOfLoading(log, prefix) }),
        });
        this.#caches.set(cache, prefix);
        return cache;
      },
    } as const;
    this.#entries = createResourceEntries(served.resources, {
      ...common,
      ttlSeconds: (type) => (type === "core/v1.Event" ? config.eventTtlSeconds : undefined),
      loadHooks: async (type) =>
        type === DEFINITION_TYPE
          ? withDefinitionChecks(await loadHooks(type), { ...catalogue, release: platform.release })
          : loadHooks(type),
      loadConverter: createConverters({
        entries: readConversions(),
        declarations: conversions,
        schemas,
        ...carriedDomains(catalogue),
      }),
      carriedAnnotations: carriedAnnotations(carriedDomains(catalogue)),
      versionsOf: (hub) => catalogue.resources.filter(({ storage }) => storage.type === hub),
      storageVersionOf: served.storageVersionOf,
    });
    this.#custom = new CustomKinds({
      ...common,
      vendor: catalogue.vendor,
      closeCache: (cache) => {
        this.#caches.delete(cache);
        cache.close();
      },
    });
    this.#surface = new ApiSurface(served.groups, this.#entries);
  }

  /** What is served right now; replaced as a whole when custom kinds change. */
  get surface(): ApiSurface {
    return this.#surface;
  }

  /** What watches have still to send. */
  get backlog(): BacklogBudget {
    return this.#eventMemory.backlog;
  }

  /** What custom kinds are made of, as long as they are served. */
  get customDefinitions(): readonly CustomDefinition[] {
    return this.#custom.definitions;
  }

  /** Versions that are there for custom kinds alone. */
  get customVersions(): readonly GroupVersion[] {
    const groups = this.#surface.groups.filter(({ custom }) => custom);
    return groups.flatMap(({ name, versions }) => versions.map((version) => ({ group: name, version })));
  }

  /** Serves exactly these custom kinds besides those of the definitions. */
  serveCustom(definitions: readonly CustomDefinition[]): void {
    if (this.#custom.replace(definitions)) {
      const { served } = this.#platform;
      const entries = [...this.#entries, ...this.#custom.entries];
      this.#surface = new ApiSurface(this.#custom.groups(served.groups), entries);
    }
  }

  /** Everything that is kept in the store, each once, as it is stored; of custom kinds those that are served. */
  async storedKinds(): Promise<StoredKind[]> {
    const builtIn = new Set<StoredKind>();
    for (const entry of this.#entries) if (!entry.descriptor.virtual) builtIn.add((await entry.load()).stored);
    return [...builtIn, ...this.#custom.storedKinds()];
  }

  /** Everything that is kept in the store, for those who count it. */
  countedKinds(): CountedKind[] {
    const kinds = new Map<string, CountedKind>();
    for (const { descriptor } of [...this.#entries, ...this.#custom.entries]) {
      if (descriptor.virtual) continue;
      const { storage } = descriptor;
      const prefix = registryPrefix(this.#keyRoot, storage);
      kinds.set(prefix, {
        resource: resourceName(storage.group, storage.resource),
        cached: () => this.#cached(prefix),
        count: async () => (await this.#store.range({ prefix, limit: 1, count: true })).count ?? 0,
      });
    }
    return [...kinds.values()];
  }

  #cached(prefix: string): { revision: number; objects: number } | undefined {
    for (const [cache, its] of this.#caches) {
      const objects = its === prefix ? cache.count(prefix) : undefined;
      if (objects !== undefined) return { revision: cache.revision, objects };
    }
    return undefined;
  }

  async load(group: string, version: string, resource: string): Promise<ServedResource> {
    const entry = this.#surface.find(group, version, resource);
    if (entry === undefined) {
      throw unknownPath();
    }
    return entry.load();
  }

  /** Drops caches: encodings and parsed objects are computed again when needed, events are read from the store again. */
  releaseMemory(): void {
    this.#budget.clear();
    this.#eventMemory.frames.clear();
    this.#eventMemory.history.clear();
  }

  /** Ends all watches. */
  close(): void {
    for (const cache of this.#caches.keys()) {
      cache.close();
    }
  }
}

async function loadHooks(type: TypeRef): Promise<KindHooks<ApiObject>> {
  const load = (hooks as Readonly<Record<string, (() => Promise<unknown>) | undefined>>)[type];
  return load === undefined ? {} : ((await load()) as KindHooks<ApiObject>);
}

/** `deployments.apps`, or `pods`. */
function resourceName(group: string, resource: string): string {
  return group === "" ? resource : `${resource}.${group}`;
}

/** Many objects take a while: who waits for them should know. */
function tellOfLoading(log: Log, prefix: string): (progress: Progress) => void {
  return ({ count, milliseconds, done }) =>
    log("info", `${done ? "loaded" : "loading"} ${prefix}: ${count} objects${done ? "" : " so far"}`, {
      ms: Math.round(milliseconds),
    });
}
