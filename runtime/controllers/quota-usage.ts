import { isDeepStrictEqual } from "node:util";
import type { ResourceQuota as QuotaKind } from "../../api-definitions/core/v1/resource-quota.ts";
import type { ApiObject, ObjectOf } from "../contract/api-object.ts";
import type { GroupResource, ObjectChange } from "../contract/object-access.ts";
import { hasReason } from "../contract/status.ts";
import { restAfter } from "../lib/in-turns.ts";
import { WorkQueue } from "../lib/work-queue.ts";
import { type Amounts, surplus, withoutZeros } from "../values/amounts.ts";
import { addQuantities, canonicalQuantity, formatQuantity, type Quantity, ZERO_QUANTITY } from "../values/quantity.ts";
import { type Controller, type ControllerParts, queueOptions } from "./controller.ts";

/**
 * After a recount of many objects, the namespace is not recounted for a pause of about ten times its duration. Work is counted in additions: reading
 * an object costs this many.
 */
const READING = 10;
const MUCH_WORK = 10_000;
const PAUSE_MS = 0.02;
/** Admission charges an object before it is stored. Charges for failed writes are released by a recount after this time. */
const RECOUNT_CHARGES_MS = 10_000;
const QUOTAS = { group: "", resource: "resourcequotas" };

/** How objects of a resource count: the rules that admission uses too. */
export interface CountingRules {
  concerns(name: string): boolean;
  usage(object: ApiObject): Amounts;
  /** Whether updates can change the usage of an object. */
  readonly changes?: true;
  /** Whether an object is in the scopes of a quota. */
  inScope(quota: ApiObject, object: ApiObject): boolean;
}

export interface QuotaUsageParts extends ControllerParts {
  /** Namespaced resources whose objects can be counted. */
  readonly resources: () => readonly GroupResource[];
  readonly rulesFor: (resource: GroupResource) => CountingRules;
}

type ResourceQuota = ObjectOf<QuotaKind>;

/** A quota with the totals counted so far. */
interface Tally {
  readonly quota: ResourceQuota;
  readonly totals: Map<string, Quantity>;
}

/**
 * Sets the usage of quotas by counting existing objects. Recounts a namespace when objects are deleted, terminate or use less, because admission only
 * adds usage. A resource is watched once a quota counts it.
 */
export function createQuotaUsage(parts: QuotaUsageParts): Controller {
  const { reader, writer, feed } = parts;
  const name = "quota-usage";
  const queue = new WorkQueue(sync, queueOptions(name, parts));
  /** Limits of quotas, by namespace and quota name. */
  const limitsIn = new Map<string, Map<string, unknown>>();
  /** Namespaces with a scheduled recount, because a quota was charged. */
  const charged = new Set<string>();
  /** Time until which a namespace with many objects is not recounted. */
  const pausedUntil = new Map<string, number>();
  const followed = new Map<string, Promise<() => void>>();
  /** Usage of objects whose updates can change it, by resource and name. */
  const counted = new Map<string, Amounts>();
  const stopping = new AbortController();
  let stop = () => {};

  async function sync(namespace: string): Promise<number | undefined> {
    const paused = (pausedUntil.get(namespace) ?? 0) - performance.now();
    if (paused > 0) return Math.ceil(paused);
    pausedUntil.delete(namespace);
    const quotas = (await reader.list(QUOTAS, namespace)) as readonly ResourceQuota[];
    const tallies = quotas
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map((quota) => ({ quota, totals: zerosOf(quota) }));
    if (tallies.length === 0) return undefined;
    const work = await count(namespace, tallies);
    let later: number | undefined;
    for (const tally of tallies) later = (await publish(tally)) ?? later;
    if (work >= MUCH_WORK) pausedUntil.set(namespace, performance.now() + work * PAUSE_MS);
    return later;
  }

  /** Adds up the usage of the objects in a namespace, yielding to the event loop. Returns the amount of work. */
  async function count(namespace: string, tallies: readonly Tally[]): Promise<number> {
    let work = 0;
    let began = performance.now();
    const restIfLong = async (): Promise<void> => {
      const resting = restAfter(began);
      if (resting === undefined) return;
      await resting;
      began = performance.now();
    };
    for (const resource of parts.resources()) {
      const rules = parts.rulesFor(resource);
      const concerned: Tally[] = [];
      for (const tally of tallies) {
        await restIfLong();
        if (tally.totals.keys().some((each) => rules.concerns(each))) concerned.push(tally);
      }
      if (concerned.length === 0) continue;
      await follow(resource, rules);
      const objects = await reader.list(resource, namespace);
      began = performance.now();
      for (const object of objects) {
        work += READING;
        const usage = rules.usage(object);
        if (rules.changes === true) counted.set(keyOf(resource, object.metadata), usage);
        for (const { quota, totals } of concerned) {
          work++;
          await restIfLong();
          if (rules.inScope(quota, object)) addTo(totals, usage);
        }
      }
    }
    return work;
  }

  /** Stores the usage of a quota. If the quota was changed meanwhile, returns the delay until the next count. */
  async function publish({ quota, totals }: Tally): Promise<number | undefined> {
    const hard = quota.spec?.hard ?? {};
    const used = Object.fromEntries([...totals].map(([each, amount]) => [each, formatQuantity(amount)]));
    const began = performance.now();
    const same = isDeepStrictEqual(
      [canonical(quota.status?.hard), canonical(quota.status?.used)],
      [canonical(hard), used],
    );
    await restAfter(began);
    if (same) return undefined;
    try {
      await writer.update(QUOTAS, { ...quota, status: { hard: { ...hard }, used } }, "status");
    } catch (error) {
      if (hasReason(error, "NotFound")) return undefined;
      if (hasReason(error, "Conflict")) return 10;
      throw error;
    }
    return undefined;
  }

  /** Whether an object uses less than when it was last seen. */
  function usesLess(resource: GroupResource, rules: CountingRules, object: ApiObject): boolean {
    if (rules.changes !== true) return false;
    const key = keyOf(resource, object.metadata);
    const now = rules.usage(object);
    const before = counted.get(key);
    counted.set(key, now);
    return before !== undefined && withoutZeros(surplus(before, now)).size > 0;
  }

  async function follow(resource: GroupResource, rules: CountingRules): Promise<void> {
    const key = `${resource.group}/${resource.resource}`;
    if (!followed.has(key))
      followed.set(
        key,
        // Existing objects are counted by the quota that causes the watch, and by all other quotas at the start of the server.
        feed.follow(
          resource,
          (change) => notice(resource, rules, change),
          () => false,
        ),
      );
    await followed.get(key);
  }

  function notice(resource: GroupResource, rules: CountingRules, change: ObjectChange): void {
    const { namespace = "" } = change.metadata;
    if (change.type === "delete") counted.delete(keyOf(resource, change.metadata));
    if (!limitsIn.has(namespace)) return;
    if (change.type === "put" && !usesLess(resource, rules, change.object) && !hasEnded(change.object)) return;
    queue.add(namespace);
  }

  /** Recounts a quota with new limits at once. A changed status means that an object was charged which may not be stored yet. */
  function noticeQuota({ type, object }: ObjectChange): void {
    const { namespace = "", name: quota = "" } = object.metadata;
    const known = limitsIn.get(namespace) ?? new Map<string, unknown>();
    if (type === "delete") {
      known.delete(quota);
      if (known.size === 0) limitsIn.delete(namespace);
      return;
    }
    const hard = (object as ResourceQuota).spec?.hard ?? {};
    const isNew = !known.has(quota) || !isDeepStrictEqual(known.get(quota), hard);
    limitsIn.set(namespace, known.set(quota, hard));
    if (isNew) queue.add(namespace);
    else void recountLater(namespace);
  }

  async function recountLater(namespace: string): Promise<void> {
    if (charged.has(namespace)) return;
    charged.add(namespace);
    await parts.delay(RECOUNT_CHARGES_MS, stopping.signal);
    charged.delete(namespace);
    queue.add(namespace);
  }

  return {
    name,
    async start() {
      stop = await feed.follow(QUOTAS, noticeQuota);
    },
    async stop() {
      stop();
      stopping.abort();
      for (const ended of followed.values()) (await ended)();
      await queue.stop();
    },
    settled: () => queue.settled(),
  };
}

function keyOf({ group, resource }: GroupResource, { namespace, name }: ApiObject["metadata"]): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

function zerosOf({ spec }: ResourceQuota): Map<string, Quantity> {
  return new Map(Object.keys(spec?.hard ?? {}).map((each) => [each, ZERO_QUANTITY]));
}

function addTo(totals: Map<string, Quantity>, usage: Amounts): void {
  for (const [each, amount] of usage) {
    const sum = totals.get(each);
    if (sum !== undefined) totals.set(each, addQuantities(sum, amount));
  }
}

function hasEnded({ status }: ApiObject): boolean {
  const { phase } = (status ?? {}) as { phase?: string };
  return phase === "Succeeded" || phase === "Failed";
}

function canonical(list: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(list).map(([name, amount]) => [name, canonicalQuantity(String(amount))]));
}
