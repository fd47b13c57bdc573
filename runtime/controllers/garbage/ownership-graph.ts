import type { ObjectMeta, OwnerReference } from "../../contract/api-object.ts";
import type { GroupResource } from "../../contract/object-access.ts";

/** The data of an object that the collector keeps. */
export interface Item {
  readonly uid: string;
  readonly resource: GroupResource;
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
  readonly deleting: boolean;
  readonly finalizers: readonly string[];
}

/** Finalizer of foreground deletion: removed when the dependents that block the deletion are gone. */
export const FOREGROUND = "foregroundDeletion";
/** Finalizer of deletion with orphaning: removed when no dependent refers to the object any more. */
export const ORPHAN = "orphan";

export function waitsForDependents({ deleting, finalizers }: Item): boolean {
  return deleting && finalizers.includes(FOREGROUND);
}

export function waitsForOrphaning({ deleting, finalizers }: Item): boolean {
  return deleting && finalizers.includes(ORPHAN);
}

/** Owners and dependents by UID. Owners may be missing (not seen yet, or deleted) while their dependents are known. */
export class OwnershipGraph {
  readonly #items = new Map<string, Item>();
  /** Dependents of each owner, with whether they block its deletion. */
  readonly #dependents = new Map<string, Map<string, boolean>>();

  get(uid: string): Item | undefined {
    return this.#items.get(uid);
  }

  dependentsOf(uid: string): Item[] {
    return [...(this.#dependents.get(uid)?.keys() ?? [])].flatMap((dependent) => this.#items.get(dependent) ?? []);
  }

  /** Whether a dependent for which `counts` returns true blocks the deletion of an owner. */
  isBlocked(uid: string, counts: (dependent: Item) => boolean): boolean {
    for (const [dependent, blocks] of this.#dependents.get(uid) ?? []) {
      const item = blocks ? this.#items.get(dependent) : undefined;
      if (item !== undefined && counts(item)) return true;
    }
    return false;
  }

  /** Stores the newest state of an object. Returns the new and the previous item. */
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

  /** Removes an object. Its dependents remain indexed under its UID. */
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
