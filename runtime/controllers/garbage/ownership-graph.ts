import type { ObjectMeta, OwnerReference } from "../../contract/api-object.ts";
import type { GroupResource } from "../../contract/object-access.ts";

/** What the collector remembers of an object. */
export interface Item {
  readonly uid: string;
  readonly resource: GroupResource;
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
  readonly deleting: boolean;
  readonly finalizers: readonly string[];
}

/** Deleted in the foreground: removed when the dependents that block it are gone. */
export const FOREGROUND = "foregroundDeletion";
/** Deleted with orphaning: removed when its dependents no longer refer to it. */
export const ORPHAN = "orphan";

export function waitsForDependents({ deleting, finalizers }: Item): boolean {
  return deleting && finalizers.includes(FOREGROUND);
}

export function waitsForOrphaning({ deleting, finalizers }: Item): boolean {
  return deleting && finalizers.includes(ORPHAN);
}

/** Owners and dependents by uid. Owners may be unknown (not seen yet, or gone) while their dependents are known. */
export class OwnershipGraph {
  readonly #items = new Map<string, Item>();
  /** For each owner its dependents, and whether they block its deletion. */
  readonly #dependents = new Map<string, Map<string, boolean>>();

  get(uid: string): Item | undefined {
    return this.#items.get(uid);
  }

  dependentsOf(uid: string): Item[] {
    return [...(this.#dependents.get(uid)?.keys() ?? [])].flatMap((dependent) => this.#items.get(dependent) ?? []);
  }

  /** Whether one of the dependents that count blocks the deletion of an owner. */
  isBlocked(uid: string, counts: (dependent: Item) => boolean): boolean {
    for (const [dependent, blocks] of this.#dependents.get(uid) ?? []) {
      const item = blocks ? this.#items.get(dependent) : undefined;
      if (item !== undefined && counts(item)) return true;
    }
    return false;
  }

  /** Stores the newest state of an object; returns the item and the previous one. */
  put(resource: GroupResource, metadata: ObjectMeta): { readonly item: Item; readonly before: Item | undefined } {
    const uid = metadata.uid ?? "";
    const before = this.#items.get(uid);
    const item: Item = {
      uid,
      resource,
      namespace: metadata.namespace ?? "",
      name: metadata.name ?? "",
      owners: metadata.ownerReferences ?? [],
      deleting: metadata.deletionTimestamp !== undefined,
      finalizers: metadata.finalizers ?? [],
    };
    for (const owner of before?.owners ?? []) this.#unlink(owner.uid, uid);
    for (const owner of item.owners) this.#link(owner, uid);
    this.#items.set(uid, item);
    return { item, before };
  }

  /** Removes an object; its dependents stay indexed under its uid. */
  delete(uid: string): Item | undefined {
    const item = this.#items.get(uid);
    for (const owner of item?.owners ?? []) this.#unlink(owner.uid, uid);
    this.#items.delete(uid);
    return item;
  }

  #link({ uid, blockOwnerDeletion = false }: OwnerReference, dependent: string): void {
    const dependents = this.#dependents.get(uid) ?? new Map<string, boolean>();
    this.#dependents.set(uid, dependents.set(dependent, blockOwnerDeletion || dependents.get(dependent) === true));
  }

  #unlink(owner: string, dependent: string): void {
    const dependents = this.#dependents.get(owner);
    dependents?.delete(dependent);
    if (dependents?.size === 0) this.#dependents.delete(owner);
  }
}
