import { parseApiVersion } from "../contract/group-version.ts";
import type { CollectedKind, GroupResource } from "../contract/object-access.ts";
import type { Verb } from "../contract/resource-descriptor.ts";
import type { ApiSurface } from "./api-surface.ts";
import type { ResourceEntry } from "./resource-entry.ts";

/** The served kinds that are subject to garbage collection. Also resolves which of them an owner reference means. */
export class CollectedKinds {
  readonly #surface: () => ApiSurface;

  constructor(surface: () => ApiSurface) {
    this.#surface = surface;
  }

  /** Returns each stored kind once, however many versions serve it. */
  all(): CollectedKind[] {
    const found = new Map<string, CollectedKind>();
    for (const entry of this.#surface().entries())
      if (isCollected(entry)) found.set(entry.descriptor.storage.type, collectedKind(entry));
    return [...found.values()];
  }

  has({ group, resource }: GroupResource): boolean {
    const entry = this.#surface().findStored(group, resource);
    return entry !== undefined && isCollected(entry);
  }

  find(apiVersion: string, kind: string): CollectedKind | undefined {
    const { group, version } = parseApiVersion(apiVersion);
    const entry = this.#surface().findKind(group, version, kind);
    const found = entry && this.#surface().versionsOf(entry).find(isCollected);
    return found && collectedKind(found);
  }
}

function isCollected({ descriptor }: ResourceEntry): boolean {
  return !descriptor.virtual && ["list", "watch", "delete"].every((verb) => descriptor.verbs.includes(verb as Verb));
}

function collectedKind({ descriptor: { storage, namespaced } }: ResourceEntry): CollectedKind {
  return { resource: { group: storage.group, resource: storage.resource }, namespaced };
}
