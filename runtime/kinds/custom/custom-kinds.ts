import type { ResourceDescriptor } from "../../contract/resource-descriptor.ts";
import { equalJson } from "../../lib/equal-json.ts";
import type { WatchCache } from "../../watch/watch-cache.ts";
import type { EntryChange, ResourceEntry } from "../resource-entry.ts";
import type { ServedResource, StoredKind } from "../served-resource.ts";
import { type DefinitionSource, isServedAlike } from "./definition/definition-source.ts";
import { describeResources } from "./definition/describe-resources.ts";
import type { CustomKindParts, InstalledKind, KindInstaller } from "./kind-installer.ts";

/** A served definition and the API entries of its resources. */
interface ServedDefinition {
  readonly kind: CustomKind;
  readonly entries: readonly ResourceEntry[];
}

const NO_CHANGE: EntryChange = { removed: [], added: [] };

/**
 * The served custom kinds. Every version of a kind has its own cache with objects in that version: defaults, pruning and validation are
 * those of the requested version. Schemas, hooks and caches of a kind are created when it is first used.
 */
export class CustomKinds {
  readonly #parts: CustomKindParts;
  readonly #installer: InstallerOnDemand;
  /** Keyed by name of the definition. */
  readonly #served = new Map<string, ServedDefinition>();

  constructor(parts: CustomKindParts) {
    this.#parts = parts;
    this.#installer = new InstallerOnDemand(parts);
  }

  *entries(): Iterable<ResourceEntry> {
    for (const { entries } of this.#served.values()) yield* entries;
  }

  /** Starts, updates or (if undefined) stops serving a definition. Returns the resources that change. Watches of a changed kind end. */
  change(name: string, source: DefinitionSource | undefined): EntryChange {
    const former = this.#served.get(name);
    if (source === undefined) {
      if (former === undefined) return NO_CHANGE;
      this.#served.delete(name);
      former.kind.close();
      return { removed: former.entries, added: [] };
    }
    const isSame = former !== undefined && isServedAlike(former.kind.source, source);
    const descriptors = describeResources(source.outline);
    if (isSame) {
      former.kind.source = source;
      const known = former.entries.map(({ descriptor }) => descriptor);
      if (equalJson(known, descriptors)) return NO_CHANGE;
    }
    const kind = isSame ? former.kind : new CustomKind(source, this.#installer, this.#parts.closeCache);
    const entries = descriptors.map((descriptor) => new CustomEntry(descriptor, kind, this.#parts.metaGroup));
    this.#served.set(name, { kind, entries });
    if (!isSame) former?.kind.close();
    return { removed: former?.entries ?? [], added: entries };
  }

  /** Returns each kind in its stored version, whether or not that version is served. */
  async storedKinds(): Promise<StoredKind[]> {
    if (this.#served.size === 0) return [];
    const installer = await this.#installer.load();
    return [...this.#served.values()].flatMap(({ kind }) => installer.stored(kind.source) ?? []);
  }
}

/** Loads the code that installs custom kinds when one is first used. Most servers have no custom kinds. */
class InstallerOnDemand {
  readonly #parts: CustomKindParts;
  #loading: Promise<KindInstaller> | undefined;
  loaded: KindInstaller | undefined;

  constructor(parts: CustomKindParts) {
    this.#parts = parts;
  }

  load(): Promise<KindInstaller> {
    this.#loading ??= import("./kind-installer.ts").then((module) => {
      this.loaded = new module.KindInstaller(this.#parts);
      return this.loaded;
    });
    return this.#loading;
  }
}

/** A kind, from the first definition that serves it until a definition serves it differently. Installed when it is first used. */
class CustomKind {
  /** The latest state of its definition. */
  source: DefinitionSource;
  readonly #installer: InstallerOnDemand;
  readonly #closeCache: (cache: WatchCache) => void;
  #installed: InstalledKind | undefined;
  #isClosed = false;

  constructor(source: DefinitionSource, installer: InstallerOnDemand, closeCache: (cache: WatchCache) => void) {
    this.source = source;
    this.#installer = installer;
    this.#closeCache = closeCache;
  }

  /** Undefined until the installer is loaded. */
  get installed(): InstalledKind | undefined {
    const { loaded } = this.#installer;
    return loaded && this.#installWith(loaded);
  }

  async install(): Promise<InstalledKind> {
    return this.#installWith(await this.#installer.load());
  }

  #installWith(installer: KindInstaller): InstalledKind {
    if (this.#installed === undefined) {
      this.#installed = installer.install(this.source);
      if (this.#isClosed) this.close();
    }
    return this.#installed;
  }

  /** Closes its caches. If a request that found the kind earlier installs it after this, the new caches are closed immediately. */
  close(): void {
    this.#isClosed = true;
    for (const cache of this.#installed?.caches ?? []) this.#closeCache(cache);
  }
}

/** One served version of a custom kind. */
class CustomEntry implements ResourceEntry {
  readonly descriptor: ResourceDescriptor;
  readonly definition: CustomKind;
  readonly #metaGroup: string;
  #loaded: ServedResource | undefined;

  constructor(descriptor: ResourceDescriptor, kind: CustomKind, metaGroup: string) {
    this.descriptor = descriptor;
    this.definition = kind;
    this.#metaGroup = metaGroup;
  }

  get loaded(): ServedResource | undefined {
    if (this.#loaded !== undefined) return this.#loaded;
    const { installed } = this.definition;
    return installed && this.#serve(installed);
  }

  async load(): Promise<ServedResource> {
    return this.loaded ?? this.#serve(await this.definition.install());
  }

  #serve(installed: InstalledKind): ServedResource {
    this.#loaded ??= servedResource(this.descriptor, installed, this.#metaGroup);
    return this.#loaded;
  }
}

function servedResource(
  descriptor: ResourceDescriptor,
  { kinds, conversion }: InstalledKind,
  metaGroup: string,
): ServedResource {
  const stored = kinds.get(descriptor.version) as StoredKind;
  const { apiVersion } = stored;
  return {
    descriptor,
    apiVersion,
    groupResource: stored.groupResource,
    metaGroup,
    schema: stored.schema,
    hooks: stored.hooks,
    stored,
    isStoredVersion: true,
    ...(conversion && { conversion }),
    toStored: (object) => object,
    // Not pruned: field ownership compares objects across versions and checks unknown fields itself.
    fromStored: (object) => (object.apiVersion === apiVersion ? object : { ...object, apiVersion }),
  };
}
