import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import { forgetGivenEmpty } from "../../../runtime/go/source-notes.ts";
import { containersWithPaths } from "./pod-containers.ts";
import type { PodSpec } from "./pod-spec.ts";

/**
 * Volumes made of images are left out, with what mounts them, while the feature is off; specs that have some already keep
 * them. For pods and for everything that makes them.
 */
export function dropImageVolumes(
  spec: PodSpec | undefined,
  old: PodSpec | undefined,
  { featureEnabled }: Pick<HookContext, "featureEnabled">,
): void {
  const isImage = ({ image }: { image?: object }) => image !== undefined;
  if (spec === undefined || featureEnabled("ImageVolume") || old?.volumes?.some(isImage)) return;
  const dropped = new Set((spec.volumes ?? []).filter(isImage).map(({ name }) => name));
  // Kubernetes makes new lists even if it drops nothing: empty ones become absent.
  forgetGivenEmpty(spec, "volumes");
  for (const containers of [spec.initContainers, spec.containers, spec.ephemeralContainers])
    for (const container of containers ?? []) forgetGivenEmpty(container, "volumeMounts");
  if (dropped.size === 0) return;
  spec.volumes = withoutEmpty((spec.volumes ?? []).filter((volume) => !isImage(volume)));
  for (const { container } of containersWithPaths(spec, ""))
    container.volumeMounts = withoutEmpty((container.volumeMounts ?? []).filter(({ name }) => !dropped.has(name)));
}

function withoutEmpty<T>(items: T[]): T[] | undefined {
  return items.length === 0 ? undefined : items;
}
