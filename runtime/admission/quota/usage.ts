import type { AdmissionRequest } from "../../contract/admission.ts";
import { formatGroupResource } from "../../contract/group-version.ts";
import type { Naming } from "../../contract/naming.ts";
import { type Amounts, addAmounts, readAmounts } from "../../values/amounts.ts";
import { parseQuantity, type Quantity, quantityAt } from "../../values/quantity.ts";
import { claimClass } from "../claim-class.ts";
import type { Pod, ResourceList } from "../pod-shape.ts";
import { deviceClaimUsage } from "./device-claims.ts";
import { podAmounts, withActual } from "./pod-resources.ts";
import { claimMatchesScope, hasDeadline, podMatchesScope } from "./scopes.ts";
import type { UsageRules } from "./usage-rules.ts";

const count = (amount: number): Quantity => ({ unscaled: BigInt(amount), scale: 0, format: "DecimalSI" });
const isPlain = (request: AdmissionRequest) => request.subresource === "";

/** Resource names for object counts from before `count/…` existed. */
const ALIASES: Readonly<Record<string, string>> = {
  configmaps: "configmaps",
  resourcequotas: "resourcequotas",
  replicationcontrollers: "replicationcontrollers",
  secrets: "secrets",
};

export function usageRules(
  resource: { readonly group: string; readonly resource: string },
  environment: {
    readonly naming: Naming;
    readonly now: () => Date;
    readonly featureEnabled: (gate: string) => boolean;
  },
): UsageRules {
  const countName = `count/${formatGroupResource(resource)}`;
  if (resource.group === "" && resource.resource === "pods") return podUsage(countName, environment);
  if (resource.group === "" && resource.resource === "services") return serviceUsage(countName);
  if (resource.group === "" && resource.resource === "persistentvolumeclaims")
    return claimUsage(countName, environment.naming, environment.featureEnabled("VolumeAttributesClass"));
  const isClaim = resource.group === environment.naming.group("resource") && resource.resource === "resourceclaims";
  if (isClaim && environment.featureEnabled("DynamicResourceAllocation"))
    return deviceClaimUsage(countName, environment.naming);
  const alias = resource.group === "" ? ALIASES[resource.resource] : undefined;
  const names = alias === undefined ? [countName] : [countName, alias];
  return {
    handles: (request) => isPlain(request) && request.operation === "CREATE",
    concerns: (name) => names.includes(name),
    usage: () => new Map(names.map((name) => [name, count(1)])),
  };
}

const COMPUTE = ["cpu", "memory", "ephemeral-storage"];
/** Every container must set these resources if a quota limits them. */
const REQUIRED = ["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"];

function podUsage(
  countName: string,
  { now, featureEnabled }: { readonly now: () => Date; readonly featureEnabled: (gate: string) => boolean },
): UsageRules {
  const resizes = featureEnabled("InPlacePodVerticalScaling");
  const names = new Set([
    countName,
    "pods",
    ...COMPUTE,
    ...COMPUTE.map((name) => `requests.${name}`),
    ...COMPUTE.map((name) => `limits.${name}`),
  ]);
  return {
    changes: true,
    handles: ({ operation, subresource, object, oldObject }) => {
      if (subresource === "resize") return operation === "UPDATE";
      if (subresource !== "") return false;
      if (operation !== "UPDATE") return operation === "CREATE";
      return hasDeadline(object as Pod) !== hasDeadline(oldObject as Pod);
    },
    concerns: (name) =>
      names.has(name) ||
      name.startsWith("hugepages-") ||
      name.startsWith("requests.hugepages-") ||
      /^requests\.[^/]+\//.test(name),
    usage: (object) => {
      const pod = object as Pod;
      const base: Amounts = new Map([[countName, count(1)]]);
      if (!isUsing(pod, now())) return base;
      const requests = podAmounts(resizes ? withActual(pod, "requests") : pod.spec, "requests", { overhead: true });
      const limits = podAmounts(resizes ? withActual(pod, "limits") : pod.spec, "limits", { overhead: true });
      return addAmounts(base, quotaNames(requests, limits));
    },
    missing: (object, wanted) => {
      const { spec } = object as Pod;
      if (spec.resources?.requests !== undefined || spec.resources?.limits !== undefined) return undefined;
      const required = wanted.filter((name) => REQUIRED.includes(name)).sort();
      const complaints = required.flatMap((name) => {
        const lacking = [...spec.containers, ...(spec.initContainers ?? [])]
          .filter(
            ({ resources }) => !quotaNames(readAmounts(resources?.requests), readAmounts(resources?.limits)).has(name),
          )
          .map((container) => container.name);
        return lacking.length === 0 ? [] : [`${name} for: ${[...new Set(lacking)].sort().join(",")}`];
      });
      return complaints.length === 0 ? undefined : `must specify ${complaints.join("; ")}`;
    },
    matchesScope: (object, selector) => podMatchesScope(object as Pod, selector, featureEnabled),
  };
}

/** Whether a pod counts. Pods that have terminated, or exceeded their grace period, do not. */
function isUsing({ status, metadata }: Pod, now: Date): boolean {
  if (status?.phase === "Failed" || status?.phase === "Succeeded") return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  return now.getTime() <= Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

function quotaNames(requests: Amounts, limits: Amounts): Amounts {
  const names = new Map<string, Quantity>([["pods", count(1)]]);
  for (const [name, amount] of requests) {
    if (COMPUTE.includes(name) || name.startsWith("hugepages-")) names.set(name, amount);
    if (COMPUTE.includes(name) || name.startsWith("hugepages-") || isExtended(name))
      names.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits) if (COMPUTE.includes(name)) names.set(`limits.${name}`, amount);
  return names;
}

/** Extended resources have a domain prefix in their name. */
function isExtended(name: string): boolean {
  return name.includes("/") && !name.startsWith("requests.");
}

function serviceUsage(countName: string): UsageRules {
  const names = [countName, "services", "services.nodeports", "services.loadbalancers"];
  return {
    changes: true,
    handles: (request) => isPlain(request) && request.operation !== "DELETE",
    concerns: (name) => names.includes(name),
    usage: (object) => {
      const spec = (object.spec ?? {}) as {
        type?: string;
        ports?: { nodePort?: number }[];
        allocateLoadBalancerNodePorts?: boolean;
      };
      const ports = spec.ports ?? [];
      const balanced = spec.type === "LoadBalancer";
      const fixed = balanced && spec.allocateLoadBalancerNodePorts === false;
      const nodePorts = fixed
        ? ports.filter((port) => port.nodePort)
        : spec.type === "NodePort" || balanced
          ? ports
          : [];
      return new Map([
        [countName, count(1)],
        ["services", count(1)],
        ["services.nodeports", count(nodePorts.length)],
        ["services.loadbalancers", count(balanced ? 1 : 0)],
      ]);
    },
  };
}

function claimUsage(countName: string, naming: Naming, hasScopes: boolean): UsageRules {
  const names = [countName, "persistentvolumeclaims", "requests.storage"];
  const ofClass = `.storageclass.${naming.group("storage")}/`;
  return {
    changes: true,
    handles: ({ operation, subresource }) =>
      (subresource === "" && operation !== "DELETE") || (subresource === "status" && operation === "UPDATE"),
    concerns: (name) =>
      names.includes(name) ||
      name.endsWith(`${ofClass}persistentvolumeclaims`) ||
      name.endsWith(`${ofClass}requests.storage`),
    usage: (object) => {
      const spec = object.spec as { resources?: { requests?: ResourceList } } | undefined;
      const status = object.status as { allocatedResources?: ResourceList } | undefined;
      const storageClass = claimClass(object, naming);
      const used = new Map([
        ["persistentvolumeclaims", count(1)],
        [countName, count(1)],
      ]);
      if (storageClass) used.set(`${storageClass}${ofClass}persistentvolumeclaims`, count(1));
      const storage = largest(spec?.resources?.requests?.storage, status?.allocatedResources?.storage);
      if (storage === undefined) return used;
      used.set("requests.storage", storage);
      if (storageClass) used.set(`${storageClass}${ofClass}requests.storage`, storage);
      return used;
    },
    ...(hasScopes && { matchesScope: claimMatchesScope }),
  };
}

/** Returns the larger of the requested and the allocated quantity, in whole bytes. */
function largest(asked: string | undefined, allocated: string | undefined): Quantity | undefined {
  if (asked === undefined) return undefined;
  const request = parseQuantity(asked);
  const held = allocated === undefined ? undefined : parseQuantity(allocated);
  const amount = held !== undefined && quantityAt(held) > quantityAt(request) ? held : request;
  return amount.scale < 0 ? { unscaled: quantityAt(amount), scale: 0, format: amount.format } : amount;
}
