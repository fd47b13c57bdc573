import { newSortedMap, type SortedMap } from "../lib/sorted-map.ts";
import { compareVersionNames } from "../release/version-name.ts";
import type { EntryChange, ResourceEntry, SurfaceGroup } from "./resource-entry.ts";

/**
 * The resources of custom kinds. A change creates a new index that copies only the tree nodes on the paths to the changed entries and shares
 * all others, so its cost does not grow with the number of kinds.
 */
export class CustomIndex {
  /** By `group/version/resource`. */
  readonly #entries: SortedMap<string, ResourceEntry>;
  /** Keyed by `group/resource`. Holds the entry of the stored version, or else of the first served version. */
  readonly #stored: SortedMap<string, ResourceEntry>;
  /** Number of resources by `group/version`. */
  readonly #counts: SortedMap<string, number>;
  /** Versions by group, in the order in which they were added. Remains the same object until a version is added or removed. */
  readonly groups: SortedMap<string, readonly string[]>;

  constructor(former?: CustomIndex, change?: EntryChange) {
    this.#entries = former === undefined ? newSortedMap() : former.#entries.clone();
    this.#stored = former === undefined ? newSortedMap() : former.#stored.clone();
    this.#counts = former === undefined ? newSortedMap() : former.#counts.clone();
    this.groups = former?.groups ?? newSortedMap();
    if (change !== undefined) this.groups = this.#apply(change);
  }

  changed(change: EntryChange): CustomIndex {
    return new CustomIndex(this, change);
  }

  #apply({ removed, added }: EntryChange): SortedMap<string, readonly string[]> {
    for (const { descriptor } of removed) {
      this.#entries.delete(entryKey(descriptor));
      this.#stored.delete(storedKey(descriptor));
    }
    for (const entry of added) {
      const { descriptor } = entry;
      this.#entries.set(entryKey(descriptor), entry);
      const key = storedKey(descriptor);
      if (descriptor.type === descriptor.storage.type || !this.#stored.has(key)) this.#stored.set(key, entry);
    }
    let { groups } = this;
    for (const [entries, by] of [[added, 1] as const, [removed, -1] as const]) {
      for (const { descriptor } of entries) groups = this.#count(descriptor, by, groups);
    }
    return groups;
  }

  /** Adds one resource to the count of its version, or subtracts one. Returns the resulting groups. */
  #count({ group, version }: Named, by: 1 | -1, groups: SortedMap<string, readonly string[]>) {
    const key = `${group}/${version}`;
    const former = this.#counts.get(key) ?? 0;
    if (former + by > 0) this.#counts.set(key, former + by);
    else this.#counts.delete(key);
    if (former > 0 && former + by > 0) return groups;
    const versions = (groups.get(group) ?? []).filter((known) => known !== version);
    if (by > 0) versions.push(version);
    const changed = groups.clone();
    if (versions.length > 0) changed.set(group, versions);
    else changed.delete(group);
    return changed;
  }

  find(group: string, version: string, resource: string): ResourceEntry | undefined {
    return this.#entries.size === 0 ? undefined : this.#entries.get(`${group}/${version}/${resource}`);
  }

  findStored(group: string, resource: string): ResourceEntry | undefined {
    return this.#stored.get(`${group}/${resource}`);
  }

  hasGroup(group: string): boolean {
    return this.groups.has(group);
  }

  hasVersion(group: string, version: string): boolean {
    return this.#counts.has(`${group}/${version}`);
  }

  *entriesOf(group: string, version: string): Iterable<ResourceEntry> {
    const prefix = `${group}/${version}/`;
    for (const [key, entry] of this.#entries.entries(prefix)) {
      if (!key.startsWith(prefix)) return;
      yield entry;
    }
  }

  entries(): Iterable<ResourceEntry> {
    return this.#entries.values();
  }

  /** Returns a group that has custom kinds. `own` is the built-in group of the same name, if there is one. */
  group(name: string, own: SurfaceGroup | undefined): SurfaceGroup {
    const versions = this.groups.get(name) ?? [];
    if (own !== undefined) return { ...own, versions: [...new Set([...own.versions, ...versions])] };
    const ordered = [...versions].sort(compareVersionNames);
    return { name, versions: ordered, preferredVersion: ordered[0] as string, custom: true };
  }

  /** Returns all groups: built-in groups extended by the versions of custom kinds, then groups that have custom kinds only. */
  mergedWith(groups: readonly SurfaceGroup[]): SurfaceGroup[] {
    const merged = groups.map((group) => (this.groups.has(group.name) ? this.group(group.name, group) : group));
    const known = new Set(groups.map(({ name }) => name));
    for (const name of this.groups.keys()) if (!known.has(name)) merged.push(this.group(name, undefined));
    return merged;
  }
}

interface Named {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

function entryKey({ group, version, resource }: Named): string {
  return `${group}/${version}/${resource}`;
}

function storedKey({ storage }: { readonly storage: { readonly group: string; readonly resource: string } }): string {
  return `${storage.group}/${storage.resource}`;
}
