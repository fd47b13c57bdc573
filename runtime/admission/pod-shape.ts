import type { Container } from "../../api-definitions/core/v1/container.ts";
import type { EphemeralContainer } from "../../api-definitions/core/v1/ephemeral-container.ts";
import type { Pod as PodKind } from "../../api-definitions/core/v1/pod.ts";
import type { PodSpec } from "../../api-definitions/core/v1/pod-spec.ts";
import type { ApiObject, ObjectOf } from "../contract/api-object.ts";
import type { Naming } from "../contract/naming.ts";

/** Quantities by resource name. */
export type ResourceList = Record<string, string>;

/** A pod with a spec, which every stored pod has. */
export type Pod = ObjectOf<Omit<PodKind, "spec"> & { spec: PodSpec }>;

/** Whether a pod is a mirror pod, which a kubelet creates to represent a static pod. */
export function isMirrorPod({ metadata }: ApiObject, naming: Naming): boolean {
  return metadata.annotations?.[`${naming.vendor}.io/config.mirror`] !== undefined;
}

/** Yields init containers, then containers, then ephemeral containers. */
export function* allContainers(spec: PodSpec): Generator<Container | EphemeralContainer> {
  yield* spec.initContainers ?? [];
  yield* spec.containers ?? [];
  yield* spec.ephemeralContainers ?? [];
}

/**
 * Whether a pod has no requests and limits for CPU and memory. If it has pod-level resources and that feature is enabled, only those count, otherwise
 * those of its containers.
 */
export function isBestEffort({ spec, status }: Pod, featureEnabled: (gate: string) => boolean): boolean {
  if (status?.qosClass) return status.qosClass === "BestEffort";
  const states = (list: Record<string, string> | undefined) =>
    ["cpu", "memory"].some((name) => list?.[name] !== undefined && !/^0+[a-zA-Z]*$/.test(String(list[name])));
  const isOfPod = spec.resources !== undefined && featureEnabled("PodLevelResources");
  const all = isOfPod ? [spec] : [...allContainers({ ...spec, ephemeralContainers: [] })];
  return !all.some(({ resources }) => states(resources?.requests) || states(resources?.limits));
}
