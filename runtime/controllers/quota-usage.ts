import { isDeepStrictEqual } from "node:util";
import type { ResourceQuota as QuotaKind } from "../../api-definitions/core/v1/resource-quota.ts";
import type { ApiObject, ObjectOf } from "../contract/api-object.ts";
import type { GroupResource, ObjectChange } from "../contract/object-access.ts";
import { hasReason } from "../contract/status.ts";
import { rest } from "../lib/in-turns.ts";
import { WorkQueue } from "../lib/work-queue.ts";
import { type Amounts, surplus, withoutZeros } from "../values/amounts.ts";
import { addQuantities, canonicalQuantity, formatQuantity, ZERO_QUANTITY } from "../values/quantity.ts";
import { type Controller, type ControllerParts, queueOptions } from "./controller.ts";

/** A quota may have tens of thousands. */
const NAMES_PER_TURN = 1000;
const QUOTAS = { group: "", resource: "resourcequotas" };

/** How objects of a resource count: the same rules that admission uses. */
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

/**
 * Sets the usage of quotas by counting existing objects, and recounts when objects are deleted, end or use less, as admission
 * only adds.
 * A resource is watched as soon as a quota counts it.
 */
export function createQuotaUsage(parts: QuotaUsageParts): Controller {
  const { reader, writer, feed } = parts;
  const name = "quota-usage";
  const queue = new WorkQueue(sync, queueOptions(name, parts));
  const quotasIn = new Map<string, Set<string>>();
  const followed = new Map<string, Promise<() => void>>();
  /** The usage of objects that updates can change, by resource and name. */
  const counted = new Map<string, Amounts>();
  let stop = () => {};

  async function sync(key: string): Promise<number | undefined> {
    const [namespace = "", quotaName = ""] = key.split("/");
    const quota = (await reader.get(QUOTAS, namespace, quotaName)) as ResourceQuota | undefined;
    if (quota === undefined || quota.metadata.deletionTimestamp !== undefined) return undefined;
    const hard = quota.spec?.hard ?? {};
    const totals = new Map(Object.keys(hard).map((each) => [each, ZERO_QUANTITY]));
    for (const resource of parts.resources()) {
      if (totals.size > NAMES_PER_TURN) await rest();
      const rules = parts.rulesFor(resource);
      if (!totals.keys().some((each) => rules.concerns(each))) continue;
      await follow(resource, rules);
      for (const object of await reader.list(resource, namespace)) {
        usesLess(resource, rules, object);
        if (!rules.inScope(quota, object)) continue;
        for (const [each, amount] of rules.usage(object)) {
          const sum = totals.get(each);
          if (sum !== undefined) totals.set(each, addQuantities(sum, amount));
        }
      }
    }
    if (totals.size > NAMES_PER_TURN) await rest();
    const used = Object.fromEntries([...totals].map(([each, amount]) => [each, formatQuantity(amount)]));
    const same = isDeepStrictEqual(
      [canonical(quota.status?.hard), canonical(quota.status?.used)],
      [canonical(hard), used],
    );
    if (same) return undefined;
    if (totals.size > NAMES_PER_TURN) await rest();
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
        // The existing ones are counted by the quota that they are followed for, and by all others when the server starts.
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
    const quotas = quotasIn.get(namespace);
    if (quotas === undefined || quotas.size === 0) return;
    if (change.type === "put" && !usesLess(resource, rules, change.object) && !hasEnded(change.object)) return;
    for (const quota of quotas) queue.add(`${namespace}/${quota}`);
  }

  return {
    name,
    async start() {
      stop = await feed.follow(QUOTAS, ({ type, object }) => {
        const { namespace = "", name: quota = "" } = object.metadata;
        const known = quotasIn.get(namespace) ?? new Set();
        quotasIn.set(namespace, known);
        if (type === "delete") known.delete(quota);
        else {
          known.add(quota);
          queue.add(`${namespace}/${quota}`);
        }
      });
    },
    async stop() {
      stop();
      for (const ended of followed.values()) (await ended)();
      await queue.stop();
    },
    settled: () => queue.settled(),
  };
}

function keyOf({ group, resource }: GroupResource, { namespace, name }: ApiObject["metadata"]): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

function hasEnded({ status }: ApiObject): boolean {
  const { phase } = (status ?? {}) as { phase?: string };
  return phase === "Succeeded" || phase === "Failed";
}

function canonical(list: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(list).map(([name, amount]) => [name, canonicalQuantity(String(amount))]));
}
