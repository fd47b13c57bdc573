import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { HorizontalPodAutoscaler } from "./horizontal-pod-autoscaler.ts";

const CPU_PERCENT = 80;

export const hooks = hooksFor<HorizontalPodAutoscaler>({
  /** An autoscaler that names no metric looks at the CPU. */
  defaults: ({ spec }) => {
    if (spec === undefined || (spec.metrics?.length ?? 0) > 0) return;
    spec.metrics = [{ type: "Resource", resource: { name: "cpu", targetAverageUtilization: CPU_PERCENT } }];
  },
});
