import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { takeTemplateLabels } from "../../apps/template-labels.ts";
import { defaultPodTemplate } from "../../core/v1/pod-defaults.ts";
import type { Deployment } from "./deployment.ts";

export const hooks = kindHooks<Deployment>({
  default: (deployment, context) => {
    takeTemplateLabels(deployment);
    const { spec } = deployment;
    defaultPodTemplate(spec?.template, context);
    const strategy = spec?.strategy;
    if (strategy === undefined) return;
    if (strategy.type !== "RollingUpdate" && strategy.rollingUpdate === undefined) return;
    const rolling = (strategy.rollingUpdate ??= {});
    rolling.maxUnavailable ??= 1;
    rolling.maxSurge ??= 1;
  },
});
