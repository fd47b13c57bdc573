import { DEFAULT_GROUP_PRIORITY, type ResourceDescriptor } from "../contract/resource-descriptor.ts";
import type { ServedResource } from "./served-resource.ts";

/** One group with the versions it is served in, most preferred first. */
export interface SurfaceGroup {
  readonly name: string;
  readonly versions: readonly string[];
  readonly preferredVersion: string;
  /** Groups are listed by it, highest first. */
  readonly priority?: number;
  /** Whether only custom kinds are in the group. */
  readonly custom?: true;
}

/** A resource and its loader: types and hooks of a kind are loaded at its first use. */
export interface ResourceEntry {
  readonly descriptor: ResourceDescriptor;
  readonly loaded: ServedResource | undefined;
  load(): Promise<ServedResource>;
}

/** Index of everything the server serves. It is replaced as a whole when custom kinds change. */
export class ApiSurface {
  readonly groups: readonly SurfaceGroup[];
  readonly #resources = new Map<string, Map<string, ResourceEntry>>();
  /** By the group and resource under which a kind is stored: its hub version, or else the first that is served. */
  readonly #stored = new Map<string, ResourceEntry>();
  readonly #groupNames: ReadonlySet<string>;
  readonly #notServed: ReadonlyMap<string, string>;

  /** `notServed` says why defined kinds are not served, by `group/version/resource` and `group/version`. */
  constructor(
    groups: readonly SurfaceGroup[],
    entries: readonly ResourceEntry[],
    notServed: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#notServed = notServed;
    this.groups = [...groups].sort(comparePriorities);
    this.#groupNames = new Set(groups.map((group) => group.name));
    for (const entry of entries) {
      const key = versionKey(entry.descriptor.group, entry.descriptor.version);
      let version = this.#resources.get(key);
      if (version === undefined) {
        version = new Map();
        this.#resources.set(key, version);
      }
      version.set(entry.descriptor.resource, entry);
      const { storage, type } = entry.descriptor;
      const storedKey = storageKey(storage.group, storage.resource);
      if (type === storage.type || !this.#stored.has(storedKey)) {
        this.#stored.set(storedKey, entry);
      }
    }
  }

  /** Why a defined kind is not served; undefined for others. For a version: why its first kind is not. */
  whyNotServed(group: string, version: string, resource?: string): string | undefined {
    return this.#notServed.get(resource === undefined ? `${group}/${version}` : `${group}/${version}/${resource}`);
  }

  find(group: string, version: string, resource: string): ResourceEntry | undefined {
    return this.#resources.get(versionKey(group, version))?.get(resource);
  }

  group(name: string): SurfaceGroup | undefined {
    return this.groups.find((group) => group.name === name);
  }

  hasGroup(name: string): boolean {
    return this.#groupNames.has(name);
  }

  hasVersion(group: string, version: string): boolean {
    return this.#resources.has(versionKey(group, version));
  }

  /** The resources of a version, by name. */
  resourcesOf(group: string, version: string): ResourceDescriptor[] {
    const entries = this.#resources.get(versionKey(group, version))?.values() ?? [];
    return [...entries]
      .map((entry) => entry.descriptor)
      .sort((a, b) => (a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : 0));
  }

  *entries(): Iterable<ResourceEntry> {
    for (const version of this.#resources.values()) {
      yield* version.values();
    }
  }

  /** A kind, named as it is stored: the entry that serves its hub version, or else any that serves it. */
  findStored(group: string, resource: string): ResourceEntry | undefined {
    return this.#stored.get(storageKey(group, resource));
  }

  /** Whether a kind, named as it is stored, is served in any version. */
  storesKind(group: string, resource: string): boolean {
    return this.#stored.has(storageKey(group, resource));
  }
}

function storageKey(group: string, resource: string): string {
  return `${group}/${resource}`;
}

function comparePriorities(a: SurfaceGroup, b: SurfaceGroup): number {
  const [first, second] = [a.priority ?? DEFAULT_GROUP_PRIORITY, b.priority ?? DEFAULT_GROUP_PRIORITY];
  return second - first || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

function versionKey(group: string, version: string): string {
  return `${group}/${version}`;
}
