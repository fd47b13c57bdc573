import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import type { HorizontalPodAutoscaler } from "./horizontal-pod-autoscaler.ts";

const CPU_PERCENT = 80;

export const hooks = kindHooks<HorizontalPodAutoscaler>({
  /** Without any metric, the target is 80 % CPU utilization. */
  default: ({ spec }) => {
    if (spec === undefined || (spec.metrics?.length ?? 0) > 0) return;
    spec.metrics = [{ type: "Resource", resource: { name: "cpu", targetAverageUtilization: CPU_PERCENT } }];
  },
});
