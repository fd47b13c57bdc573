import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";

/**
 * Claims and volumes lose the class of their attributes while the feature is off, unless they had one. Templates of
 * claims and volumes inside other objects keep it, unlooked at.
 */
export function dropAttributesClass(
  spec: { volumeAttributesClassName?: string } | undefined,
  old: { volumeAttributesClassName?: string } | undefined,
  { featureEnabled }: Pick<HookContext, "featureEnabled">,
): void {
  if (featureEnabled("VolumeAttributesClass") || old?.volumeAttributesClassName !== undefined) return;
  delete spec?.volumeAttributesClassName;
}
