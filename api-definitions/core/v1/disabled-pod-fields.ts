import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import { forgetGivenEmpty } from "../../../runtime/go/source-notes.ts";
import type { Container } from "./container.ts";
import { containersWithPaths } from "./pod-containers.ts";
import type { PodSpec } from "./pod-spec.ts";
import type { SecurityContext } from "./security.ts";

/**
 * Removes fields of disabled features where deleting the field alone is not enough. Specs that already use the feature keep them. Applies to
 * pods and to pod templates.
 */
export function dropDisabledPodFields(
  spec: PodSpec | undefined,
  old: PodSpec | undefined,
  { featureEnabled }: Pick<HookContext, "featureEnabled">,
): void {
  if (spec === undefined) return;
  if (!featureEnabled("ImageVolume")) dropImageVolumes(spec, old);
  if (!featureEnabled("PodLifecycleSleepAction")) dropSleeps(spec, old);
  if (!featureEnabled("ContainerStopSignals")) dropStopSignals(spec, old);
  if (!featureEnabled("ProcMountType")) resetProcMounts(spec, old);
}

/** Removes image volumes and their mounts. */
function dropImageVolumes(spec: PodSpec, old: PodSpec | undefined): void {
  const isImage = ({ image }: { image?: object }) => image !== undefined;
  if (old?.volumes?.some(isImage)) return;
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

/** Removes stop signals, and lifecycles that contained nothing else. */
function dropStopSignals(spec: PodSpec, old: PodSpec | undefined): void {
  const withSignal = (of: PodSpec) =>
    containersWithPaths(of, "").filter(({ container }) => container.lifecycle?.stopSignal !== undefined);
  const found = withSignal(spec);
  if (found.length === 0 || (old !== undefined && withSignal(old).length > 0)) return;
  for (const { container } of found) {
    const { stopSignal: _dropped, ...others } = container.lifecycle ?? {};
    if (Object.values(others).some((handler) => handler !== undefined)) container.lifecycle = others;
    else delete container.lifecycle;
  }
}

/** Removes sleep actions, and handlers without another action. Also removes every empty lifecycle, even one that the client sent empty. */
function dropSleeps(spec: PodSpec, old: PodSpec | undefined): void {
  const isSleeping = ({ container: { lifecycle } }: { readonly container: Pick<Container, "lifecycle"> }) =>
    [lifecycle?.preStop, lifecycle?.postStart].some((handler) => handler?.sleep !== undefined);
  if (old !== undefined && containersWithPaths(old, "").some(isSleeping)) return;
  for (const { container } of containersWithPaths(spec, "")) {
    if (container.lifecycle === undefined) continue;
    const lifecycle = { ...container.lifecycle };
    for (const name of ["preStop", "postStart"] as const) {
      if (lifecycle[name]?.sleep === undefined) continue;
      const { sleep: _dropped, ...others } = lifecycle[name];
      if (Object.values(others).some((action) => action !== undefined)) lifecycle[name] = others;
      else delete lifecycle[name];
    }
    if (Object.values(lifecycle).some((part) => part !== undefined)) container.lifecycle = lifecycle;
    else delete container.lifecycle;
  }
}

/** Resets the field to its default instead of removing it, because stored pods have the default while the feature is off. */
function resetProcMounts(spec: PodSpec, old: PodSpec | undefined): void {
  const contexts = (of: PodSpec) => containersWithPaths(of, "").map(({ container }) => container.securityContext);
  const isOther = (context: SecurityContext | undefined) =>
    context?.procMount !== undefined && context.procMount !== "Default";
  if (old !== undefined && contexts(old).some(isOther)) return;
  for (const context of contexts(spec)) if (context !== undefined && isOther(context)) context.procMount = "Default";
}
