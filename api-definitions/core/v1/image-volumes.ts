import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
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
  const dropped = new Set((spec?.volumes ?? []).filter(isImage).map(({ name }) => name));
  if (spec === undefined || dropped.size === 0) return;
  if (featureEnabled("ImageVolume") || old?.volumes?.some(isImage)) return;
  spec.volumes = withoutEmpty((spec.volumes ?? []).filter((volume) => !isImage(volume)));
  for (const { container } of containersWithPaths(spec, ""))
    container.volumeMounts = withoutEmpty((container.volumeMounts ?? []).filter(({ name }) => !dropped.has(name)));
}

function withoutEmpty<T>(items: T[]): T[] | undefined {
  return items.length === 0 ? undefined : items;
}
