import type { Container } from "./container.ts";
import type { EphemeralContainer } from "./ephemeral-container.ts";
import type { PodSpec } from "./pod-spec.ts";

export interface PlacedContainer {
  readonly container: Container | EphemeralContainer;
  readonly path: string;
}

/** All containers of a pod in the order in which they start, with where they stand. */
export function containersWithPaths(spec: PodSpec, path: string): PlacedContainer[] {
  return (["initContainers", "containers", "ephemeralContainers"] as const).flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ container, path: `${path}.${list}[${index}]` })),
  );
}
