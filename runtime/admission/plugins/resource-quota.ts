import type { ResourceQuota as QuotaKind } from "../../../api-definitions/core/v1/resource-quota.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import type { ApiObject, ObjectOf } from "../../contract/api-object.ts";
import { hasReason } from "../../contract/status.ts";
import {
  type Amounts,
  addAmounts,
  describeAmounts,
  onlyNames,
  readAmounts,
  surplus,
  withoutZeros,
  writeAmounts,
} from "../../values/amounts.ts";
import { compareQuantities, type Quantity } from "../../values/quantity.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { requireQuotas } from "../quota/limited-resources.ts";
import { isInScope } from "../quota/scopes.ts";
import { usageRules } from "../quota/usage.ts";
import type { UsageRules } from "../quota/usage-rules.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { CREATE_AND_UPDATE } from "../requests.ts";

const ATTEMPTS = 4;

type ResourceQuota = ObjectOf<QuotaKind>;

/**
 * Charges new objects to the quotas of their namespace. Usage is written to the quota's status before the object is stored. Requests in one namespace
 * are serialized; concurrent requests of other servers are detected by conflicts. A controller releases usage.
 */
export function createResourceQuota(environment: PluginEnvironment): AdmissionPlugin {
  const { naming, reader, writer } = environment;
  const quotas = { group: "", resource: "resourcequotas" };
  const limited = environment.settings?.limitedResources ?? [];
  const turns = new Map<string, Promise<void>>();

  async function charge(request: AdmissionRequest, rules: UsageRules): Promise<void> {
    // Quotas that are already charged: they are skipped in a retry after a conflict.
    const done = new Set<string>();
    for (let attempt = 1; ; attempt++)
      try {
        const all = (await reader.list(quotas, request.namespace)) as readonly ResourceQuota[];
        const concerned = all.filter((quota) => isConcerned(request, rules, quota));
        requireQuotas(request, rules, all, limited);
        const uncharged = concerned.filter(({ metadata }) => !done.has(metadata.uid ?? ""));
        const charged = uncharged.flatMap((quota) => chargeQuota(request, rules, quota) ?? []);
        if (request.dryRun) return;
        for (const quota of charged) {
          await writer.update(quotas, quota, "status");
          done.add(quota.metadata.uid ?? "");
        }
        return;
      } catch (error) {
        if (attempt === ATTEMPTS || !hasReason(error, "Conflict")) throw error;
      }
  }

  /** Serializes requests per namespace, so that two requests never use the same remaining quota. */
  async function inTurn(namespace: string, work: () => Promise<void>): Promise<void> {
    const before = turns.get(namespace);
    const mine = (async () => {
      await before?.catch(() => {});
      await work();
    })();
    turns.set(namespace, mine);
    try {
      await mine;
    } finally {
      if (turns.get(namespace) === mine) turns.delete(namespace);
    }
  }

  return {
    name: "ResourceQuota",
    operations: CREATE_AND_UPDATE,
    async validate(request) {
      const { resource, namespace } = request;
      if (namespace === "" || request.object === undefined) return;
      if (resource.resource === "namespaces" && resource.group === "") return;
      if (resource.resource === "events" && (resource.group === "" || resource.group === naming.group("events")))
        return;
      const rules = usageRules(resource, environment);
      if (!rules.handles(request)) return;
      if (limited.length === 0 && (await reader.list(quotas, namespace)).length === 0) return;
      await inTurn(namespace, () => charge(request, rules));
    },
  };
}

/** Whether a quota applies to the request. Throws if the usage cannot be determined. */
function isConcerned(request: AdmissionRequest, rules: UsageRules, quota: ResourceQuota): boolean {
  const object = request.object as ApiObject;
  const names = Object.keys(quota.status?.hard ?? {}).filter((name) => rules.concerns(name));
  if (names.length === 0 || !isInScope(quota, rules, object)) return false;
  const name = quota.metadata.name ?? "";
  const missing = rules.missing?.(object, names);
  if (missing !== undefined) throw refuseAdmission(request, `failed quota: ${name}: ${missing}`);
  const used = readAmounts(quota.status?.used);
  if (names.some((each) => !used.has(each)))
    throw refuseAdmission(request, `status unknown for quota: ${name}, resources: ${names.sort().join(",")}`);
  return true;
}

/** Returns the quota with the usage of the request added; undefined if it adds none. Throws if it exceeds the quota. */
function chargeQuota(request: AdmissionRequest, rules: UsageRules, quota: ResourceQuota): ResourceQuota | undefined {
  const name = quota.metadata.name ?? "";
  const hard = readAmounts(quota.status?.hard);
  const used = readAmounts(quota.status?.used);
  const requested = onlyNames(requestedUsage(request, rules, quota), hard.keys());
  if (requested.size === 0) return undefined;
  const next = addAmounts(used, requested);
  const exceeded = [...requested.keys()].filter(
    (each) => compareQuantities(next.get(each) as Quantity, hard.get(each) as Quantity) > 0,
  );
  if (exceeded.length > 0 && request.subresource !== "status") {
    const show = (amounts: Amounts) => describeAmounts(onlyNames(amounts, exceeded));
    throw refuseAdmission(
      request,
      `exceeded quota: ${name}, requested: ${show(requested)}, used: ${show(used)}, limited: ${show(hard)}`,
    );
  }
  return { ...quota, status: { ...quota.status, used: writeAmounts(next) } };
}

/** Returns the usage that a request adds: that of a new object, or the increase if the quota already counts the object. */
function requestedUsage(request: AdmissionRequest, rules: UsageRules, quota: ResourceQuota): Amounts {
  const { operation, object, oldObject } = request;
  const now = rules.usage(object as ApiObject);
  const counted = operation === "UPDATE" && oldObject !== undefined && isInScope(quota, rules, oldObject);
  return withoutZeros(counted ? surplus(now, rules.usage(oldObject)) : now);
}
