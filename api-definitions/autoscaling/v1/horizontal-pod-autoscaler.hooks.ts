import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { BEHAVIOR, CONDITIONS, CURRENT_METRICS, METRICS } from "../carried-annotations.ts";
import { readMetrics } from "../carried-values.ts";
import type { HorizontalPodAutoscaler } from "./horizontal-pod-autoscaler.ts";

const CPU_PERCENT = 80;

export const hooks = kindHooks<HorizontalPodAutoscaler>({
  /** Without any metric, not even in the annotation, the target is 80 % CPU utilization. */
  default: ({ metadata, spec }) => {
    const others = readMetrics(metadata?.annotations?.[METRICS]) ?? [];
    if (spec === undefined || others.length > 0) return;
    spec.targetCPUUtilizationPercentage ??= CPU_PERCENT;
  },
  compatibility: {
    versionAnnotations: [METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR],
  },
});
