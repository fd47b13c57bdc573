import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { defaultPodTemplate } from "../../core/v1/pod-defaults.ts";
import { takeTemplateLabels } from "../template-labels.ts";
import type { Deployment } from "./deployment.ts";

export const hooks = kindHooks<Deployment>({
  default: (deployment, context) => {
    takeTemplateLabels(deployment);
    const { spec } = deployment;
    defaultPodTemplate(spec?.template, context);
    if (spec?.strategy?.type !== "RollingUpdate") return;
    const rolling = (spec.strategy.rollingUpdate ??= {});
    rolling.maxUnavailable ??= "25%";
    rolling.maxSurge ??= "25%";
  },
});
