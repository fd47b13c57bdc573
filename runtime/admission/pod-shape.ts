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

/** Whether a kubelet created it to represent a static pod. */
export function isMirrorPod({ metadata }: ApiObject, naming: Naming): boolean {
  return metadata.annotations?.[`${naming.vendor}.io/config.mirror`] !== undefined;
}

/** Init containers, then containers, then ephemeral ones. */
export function* allContainers(spec: PodSpec): Generator<Container | EphemeralContainer> {
  yield* spec.initContainers ?? [];
  yield* spec.containers ?? [];
  yield* spec.ephemeralContainers ?? [];
}
