import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { defaultPodSpec } from "../../core/v1/pod-defaults.ts";
import { defaultClaimTemplate } from "../claim-template.ts";
import { takeTemplateLabels } from "../template-labels.ts";
import type { StatefulSet } from "./stateful-set.ts";

export const hooks = kindHooks<StatefulSet>({
  default: (set) => {
    takeTemplateLabels(set);
    const { spec } = set;
    defaultPodSpec(spec?.template?.spec);
    const strategy = spec?.updateStrategy;
    if (strategy?.type === "RollingUpdate" && strategy.rollingUpdate !== undefined)
      strategy.rollingUpdate.partition ??= 0;
    for (const claim of spec?.volumeClaimTemplates ?? []) {
      defaultClaimTemplate(claim);
    }
  },
});
