import { mergeQuantities } from "../../../runtime/go/source-notes.ts";
import { writeAmounts } from "../../../runtime/values/amounts.ts";
import { containerAmounts } from "../../../runtime/values/container-amounts.ts";
import type { PodSpec } from "./pod-spec.ts";
import type { ResourceList } from "./resources.ts";

/** Whether the resource can be set for a pod as a whole. */
export function isPodLevelResource(name: string): boolean {
  return name === "cpu" || name === "memory" || isHugePages(name);
}

/**
 * Completes the resources of a pod that sets any. Limits of huge pages default to those of the containers. If there are limits, requests
 * default to the requests of the containers, or to the limit if no container requests the resource; requests of huge pages default to their
 * limit.
 */
export function defaultPodLevelResources(spec: PodSpec): void {
  const { resources } = spec;
  if (isEmpty(resources?.limits) && isEmpty(resources?.requests)) return;
  const limits = mergeQuantities(ofContainers(spec, "limits", isHugePages), resources!.limits);
  if (isEmpty(limits)) return;
  resources!.limits = limits;
  const given = resources!.requests;
  const requests = mergeQuantities(limits, ofContainers(spec, "requests", isCounted), given);
  for (const name of Object.keys(limits))
    if (!isPodLevelResource(name) && given?.[name] === undefined) delete requests[name];
  if (!isEmpty(requests)) resources!.requests = requests;
}

function isCounted(name: string): boolean {
  return isPodLevelResource(name) && !isHugePages(name);
}

function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

function ofContainers(spec: PodSpec, which: "requests" | "limits", isWanted: (name: string) => boolean): ResourceList {
  return writeAmounts(new Map([...containerAmounts(spec, which)].filter(([name]) => isWanted(name))));
}

function isEmpty(list: ResourceList | undefined): boolean {
  return Object.keys(list ?? {}).length === 0;
}
