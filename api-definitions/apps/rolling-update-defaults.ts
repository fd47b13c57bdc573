import type { DefaultContext } from "../../runtime/contract/kind-hooks.ts";
import type { RollingUpdateStatefulSetStrategy } from "./v1/stateful-set.ts";

/** Sets the defaults of a StatefulSet's rolling update, in every version. */
export function defaultRollingUpdate(
  update: RollingUpdateStatefulSetStrategy,
  { featureEnabled }: DefaultContext,
): void {
  update.partition ??= 0;
  if (featureEnabled("MaxUnavailableStatefulSet")) update.maxUnavailable ??= 1;
}
