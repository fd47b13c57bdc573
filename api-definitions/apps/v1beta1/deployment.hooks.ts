import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { defaultPodSpec } from "../../core/v1/pod-defaults.ts";
import { takeTemplateLabels } from "../template-labels.ts";
import type { Deployment } from "./deployment.ts";

export const hooks = kindHooks<Deployment>({
  default: (deployment) => {
    takeTemplateLabels(deployment);
    const { spec } = deployment;
    defaultPodSpec(spec?.template?.spec);
    if (spec?.strategy?.type !== "RollingUpdate") return;
    const rolling = (spec.strategy.rollingUpdate ??= {});
    rolling.maxUnavailable ??= "25%";
    rolling.maxSurge ??= "25%";
  },
});
