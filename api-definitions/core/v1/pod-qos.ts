import { addQuantities, compareQuantities, parseQuantity, type Quantity } from "../../../runtime/values/quantity.ts";
import type { PodSpec } from "./pod-spec.ts";
import type { PodQOSClass } from "./pod-status.ts";
import type { ResourceList } from "./resources.ts";

const COUNTED = ["cpu", "memory"];

/**
 * Returns the QoS class of a pod: `Guaranteed` if every container limits CPU and memory and requests equal limits, `BestEffort` if there are
 * no requests or limits, otherwise `Burstable`. Resources of the pod itself replace those of its containers.
 */
export function qosClassOf(spec: PodSpec): PodQOSClass {
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  const parts = spec.resources
    ? [{ resources: spec.resources }]
    : [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  let allLimited = true;
  for (const { resources } of parts) {
    addTo(requests, resources?.requests);
    const limited = addTo(limits, resources?.limits);
    const podWithoutLimits = spec.resources !== undefined && Object.keys(resources?.limits ?? {}).length === 0;
    if (limited < COUNTED.length && !podWithoutLimits) allLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const equal = [...requests].every(([name, amount]) => {
    const limit = limits.get(name);
    return limit !== undefined && compareQuantities(limit, amount) === 0;
  });
  return allLimited && equal && requests.size === limits.size ? "Guaranteed" : "Burstable";
}

/** Adds CPU and memory quantities greater than zero to `sums`. Returns how many of the two there were. */
function addTo(sums: Map<string, Quantity>, amounts: ResourceList | undefined): number {
  let found = 0;
  for (const name of COUNTED) {
    const amount = parseQuantity(amounts?.[name] ?? "0");
    if (amount.unscaled <= 0n) continue;
    const before = sums.get(name);
    sums.set(name, before === undefined ? amount : addQuantities(before, amount));
    found++;
  }
  return found;
}
