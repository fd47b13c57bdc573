import { DEFAULT_GROUP_PRIORITY, type ResourceDescriptor } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";
import { CustomIndex } from "./custom-index.ts";
import type { EntryChange, ResourceEntry, SurfaceGroup } from "./resource-entry.ts";

/** Index of all resources that the server serves. Immutable: a change of custom kinds creates a new surface that shares the unchanged parts. */
export class ApiSurface {
  readonly #builtIn: BuiltInIndex;
  readonly #notServed: ReadonlyMap<string, string>;
  readonly #custom: CustomIndex;
  #groups: readonly SurfaceGroup[] | undefined;

  /** `notServed` maps `group/version/resource` and `group/version` to the reason why a defined kind is not served. */
  constructor(
    groups: readonly SurfaceGroup[],
    entries: readonly ResourceEntry[],
    notServed: ReadonlyMap<string, string> = new Map(),
    /** The indexes of the former surface. Used by `changed` only. */
    shared?: { readonly builtIn: BuiltInIndex; readonly custom: CustomIndex },
  ) {
    this.#notServed = notServed;
    this.#builtIn = shared?.builtIn ?? new BuiltInIndex(groups, entries);
    this.#custom = shared?.custom ?? new CustomIndex();
  }

  /** Returns the surface after a change of custom kinds. The cost does not depend on the number of custom kinds. */
  changed(change: EntryChange): ApiSurface {
    const custom = this.#custom.changed(change);
    const surface = new ApiSurface([], [], this.#notServed, { builtIn: this.#builtIn, custom });
    if (custom.groups === this.#custom.groups) surface.#groups = this.#groups;
    return surface;
  }

  /** All groups, in the order of discovery. */
  get groups(): readonly SurfaceGroup[] {
    this.#groups ??= this.#custom.mergedWith(this.#builtIn.groups).sort(comparePriorities);
    return this.#groups;
  }

  /** Returns why a defined kind is not served, or undefined for other kinds. For a version: the reason of its first kind. */
  whyNotServed(group: string, version: string, resource?: string): string | undefined {
    return this.#notServed.get(resource === undefined ? `${group}/${version}` : `${group}/${version}/${resource}`);
  }

  find(group: string, version: string, resource: string): ResourceEntry | undefined {
    return this.#builtIn.find(group, version, resource) ?? this.#custom.find(group, version, resource);
  }

  group(name: string): SurfaceGroup | undefined {
    const own = this.#builtIn.groupNamed(name);
    return this.#custom.hasGroup(name) ? this.#custom.group(name, own) : own;
  }

  hasGroup(name: string): boolean {
    return this.#builtIn.groupNamed(name) !== undefined || this.#custom.hasGroup(name);
  }

  /** Whether a group has custom kinds only. */
  isCustom(group: string): boolean {
    return this.#builtIn.groupNamed(group) === undefined && this.#custom.hasGroup(group);
  }

  hasVersion(group: string, version: string): boolean {
    return this.#builtIn.version(group, version) !== undefined || this.#custom.hasVersion(group, version);
  }

  /** The resources of a version, by name. */
  resourcesOf(group: string, version: string): ResourceDescriptor[] {
    return [...this.#entriesOf(group, version)]
      .map((entry) => entry.descriptor)
      .sort((a, b) => (a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : 0));
  }

  /** Finds the resource that serves a kind. */
  findKind(group: string, version: string, kind: string): ResourceEntry | undefined {
    for (const entry of this.#entriesOf(group, version)) if (entry.descriptor.kind === kind) return entry;
    return undefined;
  }

  *#entriesOf(group: string, version: string): Iterable<ResourceEntry> {
    const builtIn = this.#builtIn.version(group, version);
    if (builtIn !== undefined) yield* builtIn.values();
    for (const entry of this.#custom.entriesOf(group, version)) {
      if (builtIn?.has(entry.descriptor.resource) !== true) yield entry;
    }
  }

  *entries(): Iterable<ResourceEntry> {
    yield* this.#builtIn.entries();
    yield* this.#custom.entries();
  }

  /** Identity of the built-in part: the same object until a built-in kind changes. */
  get builtIn(): object {
    return this.#builtIn;
  }

  /** The entries of all custom kinds, by group, version and resource. */
  customEntries(): Iterable<ResourceEntry> {
    return this.#custom.entries();
  }

  /** The entries of the custom kinds of one version. */
  customEntriesOf(group: string, version: string): Iterable<ResourceEntry> {
    return this.#custom.entriesOf(group, version);
  }

  /** The entries of all versions of a kind. Built-in kinds are found by their stored type. */
  versionsOf({ descriptor: { custom, group, resource, storage } }: ResourceEntry): readonly ResourceEntry[] {
    if (custom === undefined) return this.#builtIn.storedAs(storage.type);
    return custom.versions.flatMap((version) => this.#custom.find(group, version, resource) ?? []);
  }

  /** Finds a kind by the group and resource it is stored under. Prefers the entry of its hub version, else returns any served version. */
  findStored(group: string, resource: string): ResourceEntry | undefined {
    return this.#builtIn.findStored(group, resource) ?? this.#custom.findStored(group, resource);
  }

  /** Whether a resource, such as `deployments.apps` or `pods`, is served in any version, or is the stored name of a kind that is served. */
  servesNamed(name: string): boolean {
    const dot = name.indexOf(".");
    const [resource, group] = dot < 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot + 1)];
    if (this.storesKind(group, resource)) return true;
    return this.group(group)?.versions.some((version) => this.find(group, version, resource)) === true;
  }

  /** Whether the kind that is stored under this group and resource is served in any version. */
  storesKind(group: string, resource: string): boolean {
    return this.findStored(group, resource) !== undefined;
  }
}

/** The built-in kinds. All surfaces of a server share one index. */
class BuiltInIndex {
  readonly groups: readonly SurfaceGroup[];
  readonly #groups: ReadonlyMap<string, SurfaceGroup>;
  readonly #versions = new Map<string, Map<string, ResourceEntry>>();
  /** Keyed by the group and resource under which a kind is stored. Holds the entry of the hub version, or else of the first served version. */
  readonly #stored = new Map<string, ResourceEntry>();
  readonly #byStoredType = new Map<TypeRef, ResourceEntry[]>();

  constructor(groups: readonly SurfaceGroup[], entries: readonly ResourceEntry[]) {
    this.groups = groups;
    this.#groups = new Map(groups.map((group) => [group.name, group]));
    for (const entry of entries) {
      const { group, version, resource, storage, type } = entry.descriptor;
      const key = `${group}/${version}`;
      const known = this.#versions.get(key);
      if (known === undefined) this.#versions.set(key, new Map([[resource, entry]]));
      else known.set(resource, entry);
      const storedKey = `${storage.group}/${storage.resource}`;
      if (type === storage.type || !this.#stored.has(storedKey)) this.#stored.set(storedKey, entry);
      const same = this.#byStoredType.get(storage.type);
      if (same === undefined) this.#byStoredType.set(storage.type, [entry]);
      else same.push(entry);
    }
  }

  groupNamed(name: string): SurfaceGroup | undefined {
    return this.#groups.get(name);
  }

  version(group: string, version: string): ReadonlyMap<string, ResourceEntry> | undefined {
    return this.#versions.get(`${group}/${version}`);
  }

  find(group: string, version: string, resource: string): ResourceEntry | undefined {
    return this.#versions.get(`${group}/${version}`)?.get(resource);
  }

  findStored(group: string, resource: string): ResourceEntry | undefined {
    return this.#stored.get(`${group}/${resource}`);
  }

  storedAs(type: TypeRef): readonly ResourceEntry[] {
    return this.#byStoredType.get(type) ?? [];
  }

  *entries(): Iterable<ResourceEntry> {
    for (const version of this.#versions.values()) yield* version.values();
  }
}

function comparePriorities(a: SurfaceGroup, b: SurfaceGroup): number {
  const [first, second] = [a.priority ?? DEFAULT_GROUP_PRIORITY, b.priority ?? DEFAULT_GROUP_PRIORITY];
  return second - first || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
