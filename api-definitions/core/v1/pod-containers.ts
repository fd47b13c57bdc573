import type { Container } from "./container.ts";
import type { EphemeralContainer } from "./ephemeral-container.ts";
import type { PodSpec } from "./pod-spec.ts";

export interface PlacedContainer {
  readonly container: Container | EphemeralContainer;
  readonly path: string;
}

const LISTS = ["initContainers", "containers", "ephemeralContainers"] as const;

/** Returns all containers of a pod in start order, each with its field path. */
export function containersWithPaths(spec: PodSpec, path: string): PlacedContainer[] {
  const placed: PlacedContainer[] = [];
  for (const list of LISTS)
    spec[list]?.forEach((container, index) => {
      placed.push({ container, path: `${path}.${list}[${index}]` });
    });
  return placed;
}
