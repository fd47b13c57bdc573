import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { containerCells } from "../../../runtime/lib/table-text.ts";
import { defaultPodSpec } from "../../core/v1/pod-defaults.ts";
import type { StatefulSet } from "./stateful-set.ts";

export const hooks = hooksFor<StatefulSet>({
  defaults: defaultStatefulSet,
  cells: ({ spec, status }) => ({
    Ready: `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ...containerCells(spec?.template?.spec?.containers),
  }),
});

/** A strategy that is not given rolls from the first ordinal; one that is given keeps its missing details missing. */
function defaultStatefulSet({ spec }: StatefulSet): void {
  if (spec === undefined) return;
  defaultPodSpec(spec.template?.spec);
  const strategy = (spec.updateStrategy ??= {});
  if (!strategy.type) {
    strategy.type = "RollingUpdate";
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === "RollingUpdate" && strategy.rollingUpdate !== undefined) strategy.rollingUpdate.partition ??= 0;
  for (const claim of spec.volumeClaimTemplates ?? []) {
    if (claim.spec !== undefined) claim.spec.volumeMode ??= "Filesystem";
  }
}
