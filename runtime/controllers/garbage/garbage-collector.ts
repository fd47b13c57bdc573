import type { ApiObject, ObjectMeta, OwnerReference } from "../../contract/api-object.ts";
import type { CollectedKind, GroupResource, ObjectChange } from "../../contract/object-access.ts";
import { hasReason } from "../../contract/status.ts";
import { rest } from "../../lib/in-turns.ts";
import { WorkQueue } from "../../lib/work-queue.ts";
import { type Controller, type ControllerParts, queueOptions } from "../controller.ts";
import {
  FOREGROUND,
  type Item,
  ORPHAN,
  OwnershipGraph,
  waitsForDependents,
  waitsForOrphaning,
} from "./ownership-graph.ts";

export interface GarbageCollectorParts extends ControllerParts {
  /** Returns all resources whose objects can be deleted, as currently served. */
  readonly resources: () => readonly GroupResource[];
  /** Whether `resources` contains a resource. */
  readonly isCollected: (resource: GroupResource) => boolean;
  /** Returns the resource of a kind in an owner reference; undefined if the kind is not served. */
  readonly resolveKind: (apiVersion: string, kind: string) => CollectedKind | undefined;
}

/** Owners processed per turn of the event loop: an object may have tens of thousands. */
const OWNERS_PER_TURN = 200;

/** Number of concurrent updates: each waits for the disk, and concurrent ones share a commit. */
const ORPHANS_AT_A_TIME = 16;

type OwnerState = "solid" | "gone" | "waiting" | "unknown";

/**
 * Deletes objects whose owners are all gone, finishes foreground deletions once nothing blocks them, and removes references of orphans to their
 * deleted owner. An owner of a kind that is not served has an unknown state: its dependents are kept.
 */
export class GarbageCollector implements Controller {
  readonly name = "garbage-collector";
  readonly #parts: GarbageCollectorParts;
  readonly #graph = new OwnershipGraph();
  readonly #queue: WorkQueue;
  readonly #stops = new Map<string, () => void>();
  /** Namespaces of deleted objects, by UID. UIDs are never reused. */
  readonly #deleted = new Map<string, string>();

  constructor(parts: GarbageCollectorParts) {
    this.#parts = parts;
    this.#queue = new WorkQueue((uid) => this.#process(uid), queueOptions(this.name, parts));
  }

  async start(): Promise<void> {
    await this.kindsChanged();
  }

  /** Starts to watch added resources and stops watching removed ones. With `changed`, considers only those resources. */
  async kindsChanged(changed?: readonly GroupResource[]): Promise<void> {
    const { resources, isCollected } = this.#parts;
    const present = changed?.filter(isCollected) ?? resources();
    const kept = new Set(present.map(keyOf));
    for (const key of changed?.map(keyOf) ?? [...this.#stops.keys()]) {
      if (kept.has(key)) continue;
      this.#stops.get(key)?.();
      this.#stops.delete(key);
    }
    await Promise.all(present.map((resource) => this.#watch(resource)));
  }

  async #watch(resource: GroupResource): Promise<void> {
    const key = keyOf(resource);
    if (this.#stops.has(key)) return;
    this.#stops.set(key, () => {});
    const { feed } = this.#parts;
    // An object that stands alone (without owners and finalizers, not being deleted) matters only as an owner. Owners that are missing in the graph
    // are read when their dependents are processed.
    const stop = await feed.follow(
      resource,
      (change) => this.#see(resource, change),
      (existing) => !existing.standsAlone,
    );
    this.#stops.set(key, stop);
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.values()) stop();
    await this.#queue.stop();
  }

  settled(): Promise<void> {
    return this.#queue.settled();
  }

  #see(resource: GroupResource, { type, metadata }: ObjectChange): void {
    if (type === "delete") return this.#seeDeletion(metadata);
    const { item, before } = this.#graph.put(resource, metadata);
    if (item.owners.length > 0 || waitsForDependents(item) || waitsForOrphaning(item)) this.#queue.add(item.uid);
    // Processes the dependents of an owner that starts to wait, and the waiting owners that a changed dependent no longer blocks.
    if (waitsForDependents(item) && !(before && waitsForDependents(before)))
      for (const dependent of this.#graph.dependentsOf(item.uid)) this.#queue.add(dependent.uid);
    if (before !== undefined) this.#wakeOwners(noLongerBlocked(before, item));
  }

  #seeDeletion(metadata: ObjectMeta): void {
    const uid = metadata.uid ?? "";
    const item = this.#graph.delete(uid);
    this.#deleted.set(uid, metadata.namespace ?? "");
    for (const dependent of this.#graph.dependentsOf(uid)) this.#queue.add(dependent.uid);
    this.#wakeOwners(item?.owners ?? metadata.ownerReferences ?? []);
    if (this.#deleted.size > 10_000) this.#deleted.clear();
  }

  #wakeOwners(owners: readonly OwnerReference[]): void {
    for (const { uid } of owners) {
      const owner = this.#graph.get(uid);
      if (owner !== undefined && waitsForDependents(owner)) this.#queue.add(uid);
    }
  }

  async #process(uid: string): Promise<number | undefined> {
    const item = this.#graph.get(uid);
    if (item === undefined) return undefined;
    try {
      if (waitsForOrphaning(item)) await this.#orphanDependents(item);
      else if (waitsForDependents(item)) await this.#finishForeground(item);
      else if (!item.deleting) await this.#collect(item);
    } catch (error) {
      if (hasReason(error, "NotFound")) return undefined;
      if (hasReason(error, "Conflict")) return 10;
      throw error;
    }
    return undefined;
  }

  /** Deletes an object without remaining owners. If an owner remains, removes the references to absent and waiting owners. */
  async #collect(item: Item): Promise<void> {
    const seen = await this.#statesOf(item, item.owners);
    if (seen.every((state) => state === "solid" || state === "unknown")) return;
    // The graph may be outdated: the stored object decides, and is deleted only if it has not changed.
    const stored = await this.#parts.reader.get(item.resource, item.namespace, item.name);
    if (stored?.metadata.uid !== item.uid || stored.metadata.deletionTimestamp !== undefined) return;
    const { ownerReferences: owners = [], finalizers = [], resourceVersion } = stored.metadata;
    const states = await this.#statesOf(item, owners);
    if (states.length === 0 || states.includes("unknown")) return;
    if (states.includes("solid")) {
      const lost = new Set(owners.filter((_, index) => states[index] !== "solid").map(({ uid }) => uid));
      if (lost.size > 0)
        await this.#rewrite(item, (metadata) => {
          metadata.ownerReferences = metadata.ownerReferences?.filter(({ uid }) => !lost.has(uid));
        });
      return;
    }
    const dependents = states.includes("waiting") ? this.#dependentsOf(item) : [];
    const blocked = dependents.length > 0;
    // A dependent that waits may be waiting for this object. The object is processed again once it blocks no owner.
    if (dependents.some(waitsForDependents) && owners.some(({ blockOwnerDeletion }) => blockOwnerDeletion))
      return this.#rewrite(item, (metadata) => {
        metadata.ownerReferences = metadata.ownerReferences?.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
      });
    const propagationPolicy = finalizers.includes(ORPHAN)
      ? "Orphan"
      : blocked || finalizers.includes(FOREGROUND)
        ? "Foreground"
        : "Background";
    await this.#parts.writer.delete(item.resource, item.namespace, item.name, {
      propagationPolicy,
      uid: item.uid,
      ...(resourceVersion !== undefined && { resourceVersion }),
    });
  }

  async #statesOf(item: Item, owners: readonly OwnerReference[]): Promise<readonly OwnerState[]> {
    const states: OwnerState[] = [];
    for (let at = 0; at < owners.length; at += OWNERS_PER_TURN) {
      if (at > 0) await rest();
      const some = owners.slice(at, at + OWNERS_PER_TURN).map((owner) => this.#stateOf(item, owner));
      states.push(...(await Promise.all(some)));
    }
    return states;
  }

  async #stateOf(item: Item, owner: OwnerReference): Promise<OwnerState> {
    const deletedIn = this.#deleted.get(owner.uid);
    if (deletedIn !== undefined && canOwn(deletedIn, item)) return "gone";
    const kind = this.#parts.resolveKind(owner.apiVersion, owner.kind);
    if (kind === undefined || (kind.namespaced && item.namespace === "")) return "unknown";
    const known = this.#graph.get(owner.uid);
    if (known !== undefined && canOwn(known.namespace, item) && isNamedBy(owner, kind.resource, known))
      return waitsForDependents(known) ? "waiting" : "solid";
    const namespace = kind.namespaced ? item.namespace : "";
    const stored = await this.#parts.reader.get(kind.resource, namespace, owner.name);
    if (stored === undefined || stored.metadata.uid !== owner.uid) return "gone";
    const waits = stored.metadata.deletionTimestamp !== undefined && stored.metadata.finalizers?.includes(FOREGROUND);
    return waits ? "waiting" : "solid";
  }

  /** Returns the dependents of an object. Objects of other namespaces may name any owner: they neither block its deletion nor are orphaned by it. */
  #dependentsOf(item: Item): Item[] {
    return this.#graph.dependentsOf(item.uid).filter((dependent) => canOwn(item.namespace, dependent));
  }

  /** Removes the foreground finalizer if no dependent blocks the deletion. Blocking dependents were queued when the owner started to wait. */
  async #finishForeground(item: Item): Promise<void> {
    if (this.#graph.isBlocked(item.uid, (dependent) => canOwn(item.namespace, dependent))) return;
    await this.#removeFinalizer(item, FOREGROUND);
  }

  async #orphanDependents(item: Item): Promise<void> {
    const dependents = this.#dependentsOf(item).values();
    const orphanSome = async () => {
      for (const dependent of dependents) await this.#orphan(dependent, item);
    };
    const results = await Promise.allSettled(Array.from({ length: ORPHANS_AT_A_TIME }, orphanSome));
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    await this.#removeFinalizer(item, ORPHAN);
  }

  async #orphan(dependent: Item, owner: Item): Promise<void> {
    try {
      await this.#rewrite(dependent, (metadata) => {
        metadata.ownerReferences = metadata.ownerReferences?.filter(({ uid }) => uid !== owner.uid);
      });
    } catch (error) {
      if (!hasReason(error, "NotFound")) throw error;
    }
  }

  #removeFinalizer(item: Item, finalizer: string): Promise<void> {
    return this.#rewrite(item, (metadata) => {
      metadata.finalizers = metadata.finalizers?.filter((each) => each !== finalizer);
    });
  }

  /** Changes the metadata of the stored object, if it has the same UID. */
  async #rewrite(item: Item, change: (metadata: ApiObject["metadata"]) => void): Promise<void> {
    const stored = await this.#parts.reader.get(item.resource, item.namespace, item.name);
    if (stored === undefined || stored.metadata.uid !== item.uid) return;
    const metadata = { ...stored.metadata };
    change(metadata);
    if (metadata.ownerReferences?.length === 0) delete metadata.ownerReferences;
    if (metadata.finalizers?.length === 0) delete metadata.finalizers;
    await this.#parts.writer.update(item.resource, { ...stored, metadata });
  }
}

/** Whether an owner in `namespace` can own an object. `""` stands for a cluster-scoped owner. */
function canOwn(namespace: string, dependent: Item): boolean {
  return namespace === "" || namespace === dependent.namespace;
}

/** Returns the owners whose deletion an object blocked before a change and no longer blocks. Both versions may have tens of thousands of owners. */
function noLongerBlocked(before: Item, after: Item): readonly OwnerReference[] {
  if (before.owners.length === 0) return [];
  const blocked = new Set(after.owners.flatMap(({ uid, blockOwnerDeletion }) => (blockOwnerDeletion ? uid : [])));
  return before.owners.filter(({ uid, blockOwnerDeletion }) => blockOwnerDeletion && !blocked.has(uid));
}

function isNamedBy({ name }: OwnerReference, resource: GroupResource, item: Item): boolean {
  return name === item.name && keyOf(resource) === keyOf(item.resource);
}

function keyOf({ group, resource }: GroupResource): string {
  return `${group}/${resource}`;
}
