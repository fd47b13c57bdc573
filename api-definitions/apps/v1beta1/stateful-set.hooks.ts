import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { defaultPodTemplate } from "../../core/v1/pod-defaults.ts";
import { defaultClaimTemplate } from "../claim-template.ts";
import { defaultRollingUpdate } from "../rolling-update-defaults.ts";
import { takeTemplateLabels } from "../template-labels.ts";
import type { StatefulSet } from "./stateful-set.ts";

export const hooks = kindHooks<StatefulSet>({
  default: (set, context) => {
    takeTemplateLabels(set);
    const { spec } = set;
    defaultPodTemplate(spec?.template, context);
    const strategy = spec?.updateStrategy;
    if (strategy?.type === "RollingUpdate" && strategy.rollingUpdate !== undefined)
      defaultRollingUpdate(strategy.rollingUpdate, context);
    for (const claim of spec?.volumeClaimTemplates ?? []) {
      defaultClaimTemplate(claim);
    }
  },
});
