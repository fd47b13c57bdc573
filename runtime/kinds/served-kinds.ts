import type { ConversionWebhooks } from "../contract/conversion-webhooks.ts";
import { formatGroupResource } from "../contract/group-version.ts";
import type { ObserveRules } from "../contract/observe-rules.ts";
import type { TypeRef } from "../contract/type-table.ts";
import { parseJson } from "../encoding/json/parse-json.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Progress } from "../lib/slow-progress.ts";
import type { CacheMemory } from "../metrics/cache-metrics.ts";
import type { CountedKind } from "../metrics/storage-metrics.ts";
import type { NotServed } from "../release/not-served.ts";
import type { ValueTransformer } from "../store/encryption/value-transformer.ts";
import { MeasuredStore, type StoreMeter } from "../store/measured-store.ts";
import type { Store } from "../store/store.ts";
import { unknownPath } from "../values/status-errors.ts";
import type { BacklogBudget } from "../watch/backlog-budget.ts";
import { DEFAULT_LIMITS } from "../watch/cache-limits.ts";
import type { ObjectCodec } from "../watch/codec.ts";
import { ContinueTokens } from "../watch/continue-token.ts";
import { type EventMemory, newEventMemory } from "../watch/event-memory.ts";
import { MemoBudget } from "../watch/memo-budget.ts";
import type { ResidentBudget } from "../watch/resident-budget.ts";
import { type CacheState, WatchCache } from "../watch/watch-cache.ts";
import { ApiSurface } from "./api-surface.ts";
import { carriedAnnotations, carriedDomains } from "./conversion/carried-fields.ts";
import { CustomKinds } from "./custom/custom-kinds.ts";
import type { CustomDefinition } from "./custom/definition/custom-definition.ts";
import { type DefinitionSource, inMemory } from "./custom/definition/definition-source.ts";
import type { KindDefinitions } from "./kind-definitions.ts";
import type { KindParts } from "./kind-parts.ts";
import { ownGroups } from "./own-types.ts";
import { changedKinds, prefixesReadAsBefore } from "./redefined-kinds.ts";
import { registryPrefix } from "./registry-key.ts";
import { createResourceEntries } from "./resource-entries.ts";
import type { EntryChange, ResourceEntry } from "./resource-entry.ts";
import type { ServedResource, StoredKind } from "./served-resource.ts";

const DEFINITION_TYPE: TypeRef = "apiextensions/v1.CustomResourceDefinition";
/** Memory for encodings that are cached beside objects, in bytes. The size of the objects themselves is added to it. */
const BYTES_FOR_ENCODINGS = 32 * 1024 * 1024;
/**
 * When the budget is full, only one in this many new encodings is admitted. Encodings of lists up to this many times larger than the budget
 * therefore still get a useful share of cache hits.
 */
const ADMIT_ONE_IN = 32;

export interface ServedKindsParts {
  readonly definitions: KindDefinitions;
  readonly store: Store;
  /** Returns the encryption of a resource's values, or undefined if they are not encrypted. */
  readonly transformerFor: (group: string, resource: string) => ValueTransformer | undefined;
  /** Prefix of all keys: `/registry`. */
  readonly keyRoot: string;
  /** Encoding of stored objects: `json` in the embedded store, `protobuf` (as Kubernetes writes) in a shared etcd. */
  readonly storedAs: "json" | "protobuf";
  /** API group of options and tables: `meta.<domain>`. */
  readonly metaGroup: string;
  readonly eventTtlSeconds: number;
  /** Memory limit for objects that watches have not sent yet. */
  readonly watchBacklogBytes: number;
  /** Memory budget for the bytes of objects in caches. Undefined if all of them stay in memory. */
  readonly residents?: ResidentBudget | undefined;
  /** Whether caches keep snapshots, which serve lists at a past revision. */
  readonly keepsSnapshots: boolean;
  /** Returns the meter that counts store requests of a resource, such as `deployments.apps`. If absent, requests are not counted. */
  readonly meterOf?: (resource: string) => StoreMeter;
  /** Wraps a cache so that its reads are traced. Absent if tracing is off. */
  readonly traced?: ((cache: WatchCache, prefix: string) => WatchCache) | undefined;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly conversionWebhooks: ConversionWebhooks;
  readonly observeRules?: ObserveRules | undefined;
  /** Caches taken over from another ServedKinds on a copy of the same data. */
  readonly caches?: SharedCaches | undefined;
  /** Number of objects read from the store one by one after which a cache is filled. If undefined, only lists and watches fill caches. */
  readonly fillAfterGets?: number | undefined;
}

/**
 * In-memory state of one ServedKinds that another one can use on a copy of the same store. Objects are shared, and so are the budgets that
 * account for what is cached on them.
 */
export interface SharedCaches {
  readonly encodings: MemoBudget;
  readonly events: EventMemory;
  /** States of caches by key prefix. Excludes custom kinds: their definitions may change on either side. */
  readonly states: ReadonlyMap<string, CacheState>;
}

/** All kinds that are served over one store: built-in ones, and custom ones that are created and deleted at run time. */
export class ServedKinds {
  readonly #parts: ServedKindsParts;
  #definitions: KindDefinitions;
  #entries: readonly ResourceEntry[];
  readonly #custom: CustomKinds;
  readonly #caches = new Map<WatchCache, string>();
  /** The caches of built-in kinds. */
  readonly #builtIn = new Set<WatchCache>();
  readonly #budget: MemoBudget;
  readonly #eventMemory: EventMemory;
  readonly #tokens: ContinueTokens;
  readonly #common: KindParts;
  #closed = false;
  #notServed: ReadonlyMap<string, string>;
  #surface: ApiSurface;
  #discovered: ApiSurface;

  constructor(parts: ServedKindsParts) {
    this.#parts = parts;
    this.#definitions = parts.definitions;
    this.#notServed = explanations(parts.definitions.notServed ?? []);
    const { store, transformerFor, metaGroup, keyRoot, storedAs } = parts;
    const { catalogue, served, schemas } = parts.definitions;
    const { caches } = parts;
    this.#budget = caches?.encodings ?? new MemoBudget(BYTES_FOR_ENCODINGS, ADMIT_ONE_IN);
    this.#eventMemory = caches?.events ?? newEventMemory({ ...DEFAULT_LIMITS, backlogBytes: parts.watchBacklogBytes });
    const begins = new Map(caches?.states);
    this.#tokens = new ContinueTokens(store.identity, (json) => parseJson(json).value);
    this.#common = {
      schemas,
      storeFor: (group, resource) => this.#storeFor(group, resource),
      budget: this.#budget,
      transformerFor,
      metaGroup,
      keyRoot,
      storedAs,
      openCache: (prefix, codec, measured) => this.#openCache(prefix, codec, measured),
    };
    this.#entries = this.#createEntries(parts.definitions, (prefix, codec, measured) => {
      const state = begins.get(prefix);
      begins.delete(prefix);
      return this.#openBuiltIn(prefix, codec, measured, state);
    });
    this.#custom = new CustomKinds({
      ...this.#common,
      vendor: catalogue.vendor,
      conversionWebhooks: parts.conversionWebhooks,
      observeRules: parts.observeRules,
      definitionGroup: `apiextensions.${catalogue.domain}`,
      closeCache: (cache) => this.#closeCache(cache),
    });
    this.#surface = new ApiSurface(served.groups, this.#entries, this.#notServed);
    this.#discovered = this.#surface;
  }

  #openBuiltIn(prefix: string, codec: ObjectCodec, store: Store, state?: CacheState): WatchCache {
    const cache = this.#openCache(prefix, codec, store, state);
    this.#builtIn.add(cache);
    return cache;
  }

  #createEntries(definitions: KindDefinitions, openCache: KindParts["openCache"]): ResourceEntry[] {
    const { catalogue, release, served, schemas, shownSchemas, featureEnabled, loadHooks, loadConverter } = definitions;
    return createResourceEntries(served.resources, {
      ...this.#common,
      schemas,
      shownSchemas,
      featureEnabled,
      openCache,
      ttlSeconds: (type) => (type === "core/v1.Event" ? this.#parts.eventTtlSeconds : undefined),
      loadHooks: async (type) => {
        const hooks = await loadHooks(type);
        if (type !== DEFINITION_TYPE) return hooks;
        const { withDefinitionChecks } = await import("./custom/definition-hooks.ts");
        return withDefinitionChecks(hooks, { ...catalogue, release });
      },
      loadConverter,
      carriedAnnotations: carriedAnnotations(carriedDomains(catalogue)),
      versionsOf: (hub) => catalogue.resources.filter(({ storage }) => storage.type === hub),
      storageVersionOf: served.storageVersionOf,
      isOwn: ownGroups(catalogue),
    });
  }

  /**
   * Serves changed definitions. A kind stays as it is unless `isChanged` returns true for its stored type. Stored objects stay. Watches of a
   * changed kind continue if its objects are read as before. They end if its versions are converted, or if its names, scope, storage version
   * or selectable fields changed. Returns the stored types that changed.
   */
  async redefine(definitions: KindDefinitions, isChanged: (storedType: TypeRef) => boolean): Promise<Set<TypeRef>> {
    const former = this.#definitions;
    const changed = changedKinds(former.served.resources, definitions.served.resources, isChanged);
    const kept = await prefixesReadAsBefore(changed, former, definitions, this.#parts.keyRoot);
    const caches = new Map([...this.#caches].map(([cache, prefix]) => [prefix, cache]));
    for (const prefix of caches.keys()) if (!kept.has(prefix)) caches.delete(prefix);
    const fresh = this.#createEntries(
      definitions,
      (prefix, codec, store) => caches.get(prefix) ?? this.#openBuiltIn(prefix, codec, store),
    );
    const known = new Map(this.#entries.map((entry) => [entry.descriptor.type, entry]));
    this.#definitions = definitions;
    this.#notServed = explanations(definitions.notServed ?? []);
    this.#entries = fresh.map((entry) =>
      changed.has(entry.descriptor.storage.type) ? entry : (known.get(entry.descriptor.type) ?? entry),
    );
    this.#showSurface();
    const gone = former.served.resources.filter(({ storage }) => changed.has(storage.type));
    const prefixes = new Set(gone.map(({ storage }) => registryPrefix(this.#parts.keyRoot, storage)));
    for (const [cache, prefix] of this.#caches) if (prefixes.has(prefix) && !kept.has(prefix)) this.#closeCache(cache);
    this.#budget.clear();
    this.releaseMemory();
    return changed;
  }

  #closeCache(cache: WatchCache): void {
    const prefix = this.#caches.get(cache);
    this.#caches.delete(cache);
    this.#builtIn.delete(cache);
    cache.close();
    if (prefix === undefined) return;
    this.#budget.releaseBelow(prefix);
    this.#eventMemory.frames.releaseBelow(prefix);
  }

  #storeFor(group: string, resource: string): Store {
    const { store, meterOf } = this.#parts;
    const meter = meterOf?.(formatGroupResource({ group, resource }));
    return meter === undefined ? store : new MeasuredStore(store, meter, () => performance.now());
  }

  #openCache(prefix: string, codec: ObjectCodec, store: Store, begins?: CacheState): WatchCache {
    const { keepsSnapshots, fillAfterGets, clock, log, traced } = this.#parts;
    const plain = new WatchCache({
      store,
      prefix,
      codec,
      tokens: this.#tokens,
      budget: this.#budget,
      residents: this.#parts.residents,
      eventMemory: this.#eventMemory,
      limits: {
        ...(!keepsSnapshots && { snapshotRetentionMs: 0 }),
        ...(fillAfterGets !== undefined && { fillAfterGets }),
      },
      begins,
      ...(clock && { clock, pacing: systemClock }),
      ...(log && { onLoading: tellOfLoading(log, prefix) }),
    });
    const cache = traced?.(plain, prefix) ?? plain;
    this.#caches.set(cache, prefix);
    if (this.#closed) cache.close();
    return cache;
  }

  /** The resources that are currently served. Replaced as a whole when custom kinds change. */
  get surface(): ApiSurface {
    return this.#surface;
  }

  /** The resources in discovery. Custom kinds are included only if their stored definition is established. */
  get discovered(): ApiSurface {
    return this.#discovered;
  }

  /** Budget of the objects that watches have not sent yet. */
  get backlog(): BacklogBudget {
    return this.#eventMemory.backlog;
  }

  /** Memory used by caches of encodings, events and objects, for metrics. */
  get cacheMemories(): Readonly<Record<string, CacheMemory>> {
    const { frames, history } = this.#eventMemory;
    const { residents } = this.#parts;
    return {
      encodings: this.#budget,
      event_frames: frames,
      event_history: history,
      ...(residents && { objects: residents }),
    };
  }

  /** Serves these custom kinds in addition to the built-in ones. */
  serveCustom(definitions: readonly CustomDefinition[]): void {
    for (const definition of definitions) this.changeCustom(definition.metadata.name ?? "", inMemory(definition));
  }

  /**
   * Starts, updates or (if undefined) stops serving the definition of that name. The cost does not depend on the number of definitions. Returns
   * the resources that change.
   */
  changeCustom(name: string, definition: DefinitionSource | undefined): EntryChange {
    const change = this.#custom.change(name, definition);
    const { removed, added } = change;
    if (removed.length + added.length === 0) return change;
    this.#surface = this.#surface.changed(change);
    this.#discovered = this.#discovered.changed({
      removed: removed.filter(isEstablished),
      added: added.filter(isEstablished),
    });
    return change;
  }

  #showSurface(): void {
    const added = [...this.#custom.entries()];
    const builtIn = new ApiSurface(this.#definitions.served.groups, this.#entries, this.#notServed);
    this.#surface = builtIn.changed({ removed: [], added });
    this.#discovered = builtIn.changed({ removed: [], added: added.filter(isEstablished) });
  }

  /** Returns each stored kind once. Of custom kinds, only those that are served. */
  async storedKinds(): Promise<StoredKind[]> {
    const builtIn = new Set<StoredKind>();
    for (const entry of this.#entries) if (!entry.descriptor.virtual) builtIn.add((await entry.load()).stored);
    return [...builtIn, ...(await this.#custom.storedKinds())];
  }

  /** All stored kinds, for metrics that count objects. */
  countedKinds(): CountedKind[] {
    const kinds = new Map<string, CountedKind>();
    const caches = this.#cachesByPrefix();
    for (const { descriptor } of [...this.#entries, ...this.#custom.entries()]) {
      if (descriptor.virtual) continue;
      const { storage } = descriptor;
      const prefix = registryPrefix(this.#parts.keyRoot, storage);
      kinds.set(prefix, {
        resource: formatGroupResource(storage),
        cached: () => countOf(caches.get(prefix) ?? [], prefix),
        count: async () => (await this.#parts.store.range({ prefix, limit: 1, count: true })).count ?? 0,
      });
    }
    return [...kinds.values()];
  }

  #cachesByPrefix(): Map<string, WatchCache[]> {
    const found = new Map<string, WatchCache[]>();
    for (const [cache, prefix] of this.#caches) found.set(prefix, [...(found.get(prefix) ?? []), cache]);
    return found;
  }

  async load(group: string, version: string, resource: string): Promise<ServedResource> {
    const entry = this.#surface.find(group, version, resource);
    if (entry === undefined) {
      throw unknownPath();
    }
    return entry.load();
  }

  /** Returns the in-memory state, for a ServedKinds over a copy of the store that is made in the same turn of the event loop. */
  shareCaches(): SharedCaches {
    const states = new Map<string, CacheState>();
    for (const [cache, prefix] of this.#caches) {
      const state = this.#builtIn.has(cache) ? cache.share() : undefined;
      if (state !== undefined) states.set(prefix, state);
    }
    return { encodings: this.#budget, events: this.#eventMemory, states };
  }

  /** Clears caches to free memory. Encodings and parsed objects are computed again when needed; events are read from the store again. */
  releaseMemory(): void {
    this.#budget.clearUnused();
    this.#eventMemory.frames.clear();
    this.#eventMemory.history.clear();
  }

  /** Ends all watches and reloads all caches, as after a restart of the server. */
  reloadCaches(): void {
    for (const cache of this.#caches.keys()) cache.reload();
  }

  /** Ends all watches permanently. A cache that is opened later is closed immediately. */
  close(): void {
    this.#closed = true;
    for (const cache of this.#caches.keys()) {
      cache.close();
    }
  }
}

/** Whether the stored definition of a custom kind is established. */
function isEstablished({ descriptor }: ResourceEntry): boolean {
  return descriptor.custom?.established === true;
}

/** Maps `group/version/resource` and `group/version` to the reason why a kind is not served. */
function explanations(notServed: readonly NotServed[]): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const { resource: descriptor, reason } of notServed) {
    const { group, version, kind, resource } = descriptor;
    const text = `${group}/${version} ${kind} ${reason}`;
    reasons.set(`${group}/${version}/${resource}`, text);
    if (!reasons.has(`${group}/${version}`)) reasons.set(`${group}/${version}`, text);
  }
  return reasons;
}

function countOf(caches: readonly WatchCache[], prefix: string): { revision: number; objects: number } | undefined {
  for (const cache of caches) {
    const objects = cache.count(prefix);
    if (objects !== undefined) return { revision: cache.revision, objects };
  }
  return undefined;
}

/** Logs the progress of loading a cache, because loading many objects takes time. */
function tellOfLoading(log: Log, prefix: string): (progress: Progress) => void {
  return ({ count, milliseconds, done }) =>
    log("info", `${done ? "loaded" : "loading"} ${prefix}: ${count} objects${done ? "" : " so far"}`, {
      ms: Math.round(milliseconds),
    });
}
