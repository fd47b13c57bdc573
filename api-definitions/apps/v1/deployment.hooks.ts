import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { containerCells, requirementsText } from "../../../runtime/lib/table-text.ts";
import { defaultPodSpec } from "../../core/v1/pod-defaults.ts";
import type { Deployment } from "./deployment.ts";

export const hooks = hooksFor<Deployment>({
  defaults: ({ spec }) => {
    defaultPodSpec(spec?.template?.spec);
    if (spec?.strategy?.type !== "RollingUpdate") return;
    const rolling = (spec.strategy.rollingUpdate ??= {});
    rolling.maxUnavailable ??= "25%";
    rolling.maxSurge ??= "25%";
  },
  cells: ({ spec, status }) => ({
    Ready: `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    "Up-to-date": status?.updatedReplicas ?? 0,
    Available: status?.availableReplicas ?? 0,
    ...containerCells(spec?.template?.spec?.containers),
    Selector: requirementsText(spec?.selector ?? {}) ?? "<invalid>",
  }),
});
