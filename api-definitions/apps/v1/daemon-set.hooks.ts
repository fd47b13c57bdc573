import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { containerCells, labelsText, selectorText } from "../../../runtime/lib/table-text.ts";
import { defaultPodSpec } from "../../core/v1/pod-defaults.ts";
import type { DaemonSet } from "./daemon-set.ts";

export const hooks = hooksFor<DaemonSet>({
  defaults: ({ spec }) => {
    defaultPodSpec(spec?.template?.spec);
    if (spec?.updateStrategy?.type !== "RollingUpdate") return;
    const rolling = (spec.updateStrategy.rollingUpdate ??= {});
    rolling.maxUnavailable ??= 1;
    rolling.maxSurge ??= 0;
  },
  cells: ({ spec }) => ({
    "Node Selector": labelsText(spec?.template?.spec?.nodeSelector),
    ...containerCells(spec?.template?.spec?.containers),
    Selector: selectorText(spec?.selector),
  }),
});
