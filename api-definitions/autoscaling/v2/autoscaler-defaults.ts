import { asGiven } from "../../../runtime/go/source-notes.ts";
import type { HorizontalPodAutoscaler, HPAScalingRules } from "./horizontal-pod-autoscaler.ts";

const scaleUp: HPAScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};
const scaleDown: HPAScalingRules = {
  selectPolicy: "Max",
  policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
};
const CPU_PERCENT = 80;

/** Without any metric, the target is 80 % CPU utilization. A behavior gets defaults for rules that it does not set. */
export function defaultAutoscaler({ spec }: Pick<HorizontalPodAutoscaler, "spec">): void {
  if (spec === undefined) return;
  if ((spec.metrics?.length ?? 0) === 0) {
    const target = { type: "Utilization", averageUtilization: CPU_PERCENT };
    spec.metrics = [{ type: "Resource", resource: { name: "cpu", target } }];
  }
  if (spec.behavior === undefined) return;
  spec.behavior.scaleUp = withRules(scaleUp, spec.behavior.scaleUp);
  spec.behavior.scaleDown = withRules(scaleDown, spec.behavior.scaleDown);
}

/** An empty list of policies is not replaced by the default. */
function withRules(defaults: HPAScalingRules, given: HPAScalingRules | undefined): HPAScalingRules {
  const rules = { ...structuredClone(defaults), ...given };
  if (given !== undefined && given.policies === undefined && asGiven(given, "policies") !== undefined)
    delete rules.policies;
  return rules;
}
