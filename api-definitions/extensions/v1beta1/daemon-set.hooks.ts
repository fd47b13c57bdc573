import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { takeTemplateLabels } from "../../apps/template-labels.ts";
import { defaultPodTemplate } from "../../core/v1/pod-defaults.ts";
import type { DaemonSet } from "./daemon-set.ts";

export const hooks = kindHooks<DaemonSet>({
  default: (set, context) => {
    takeTemplateLabels(set);
    const { spec } = set;
    defaultPodTemplate(spec?.template, context);
    if (spec?.updateStrategy?.type !== "RollingUpdate") return;
    const rolling = (spec.updateStrategy.rollingUpdate ??= {});
    rolling.maxUnavailable ??= 1;
    rolling.maxSurge ??= 0;
  },
});
