import { putAnnotation, takeAnnotation } from "../conversion-annotations.ts";
import { conversion } from "../conversion-vocabulary.ts";
import { BEHAVIOR, CONDITIONS, CURRENT_METRICS, METRICS, TOLERANCES } from "./carried-annotations.ts";
import { goText, readBehavior, writeBehavior } from "./carried-behavior.ts";
import { readConditions, readCurrentMetrics, readMetrics } from "./carried-values.ts";
import { flattenSpec, flattenStatus, nestSpec, nestStatus } from "./flat-metrics.ts";
import type { HorizontalPodAutoscaler as HorizontalPodAutoscalerV1 } from "./v1/horizontal-pod-autoscaler.ts";
import type { HorizontalPodAutoscaler, HPAScalingRules } from "./v2/horizontal-pod-autoscaler.ts";
import type { MetricSpec, MetricStatus } from "./v2/metrics.ts";
import type { HorizontalPodAutoscaler as HorizontalPodAutoscalerV2beta1 } from "./v2beta1/horizontal-pod-autoscaler.ts";
import type { HorizontalPodAutoscaler as HorizontalPodAutoscalerV2beta2 } from "./v2beta2/horizontal-pod-autoscaler.ts";

/** v1 has a field for CPU utilization only; everything else is in annotations, as in Kubernetes. */
export const horizontalPodAutoscalerV1 = conversion<HorizontalPodAutoscalerV1, HorizontalPodAutoscaler>({
  unordered: ["spec.metrics"],
  // The field repeats a value of the annotation, which takes precedence.
  repeated: ["status.currentCPUUtilizationPercentage"],
  toHub(from, hub) {
    const { metrics, currentMetrics, conditions, behavior } = takeAnnotations(hub);
    if (hub.spec !== undefined) {
      const percent = from.spec?.targetCPUUtilizationPercentage;
      const cpu = percent === undefined ? [] : [cpuMetric(percent)];
      const all = [...(metrics?.map(nestSpec) ?? []), ...cpu];
      if (all.length > 0) hub.spec.metrics = all;
      if (behavior !== undefined) hub.spec.behavior = behavior;
    }
    if (hub.status === undefined) return;
    const current = currentMetrics?.map(nestStatus) ?? cpuStatus(from);
    if (current.length > 0) hub.status.currentMetrics = current;
    if (conditions !== undefined) hub.status.conditions = conditions;
  },
  fromHub(hub, to) {
    takeAnnotations(to);
    const metrics = hub.spec?.metrics ?? [];
    const others = metrics.filter((metric) => cpuPercent(metric) === undefined);
    if (others.length > 0) putAnnotation(to, METRICS, goText(others.map(flattenSpec)));
    if (hub.spec?.behavior !== undefined) putAnnotation(to, BEHAVIOR, writeBehavior(hub.spec.behavior));
    const percent = metrics.map(cpuPercent).find((one) => one !== undefined);
    if (to.spec !== undefined && percent !== undefined) to.spec.targetCPUUtilizationPercentage = percent;
    const current = hub.status?.currentMetrics ?? [];
    if (current.length > 0) putAnnotation(to, CURRENT_METRICS, goText(current.map(flattenStatus)));
    const conditions = hub.status?.conditions ?? [];
    if (conditions.length > 0) putAnnotation(to, CONDITIONS, goText(conditions));
    const used = current.map(cpuUsed).findLast((one) => one !== undefined);
    if (to.status !== undefined && used !== undefined) to.status.currentCPUUtilizationPercentage = used;
  },
});

export const horizontalPodAutoscalerV2beta1 = conversion<HorizontalPodAutoscalerV2beta1, HorizontalPodAutoscaler>({
  toHub(from, hub) {
    const { behavior } = takeAnnotations(hub);
    if (hub.spec !== undefined) {
      if (from.spec?.metrics) hub.spec.metrics = from.spec.metrics.map(nestSpec);
      if (behavior !== undefined) hub.spec.behavior = behavior;
    }
    if (hub.status !== undefined && from.status?.currentMetrics)
      hub.status.currentMetrics = from.status.currentMetrics.map(nestStatus);
  },
  fromHub(hub, to) {
    takeAnnotations(to);
    if (to.spec !== undefined && hub.spec?.metrics) to.spec.metrics = hub.spec.metrics.map(flattenSpec);
    if (to.status !== undefined && hub.status?.currentMetrics)
      to.status.currentMetrics = hub.status.currentMetrics.map(flattenStatus);
    if (hub.spec?.behavior !== undefined) putAnnotation(to, BEHAVIOR, writeBehavior(hub.spec.behavior));
  },
});

/** v2beta2 lacks the tolerance of a behaviour and nothing else. */
export const horizontalPodAutoscalerV2beta2 = conversion<HorizontalPodAutoscalerV2beta2, HorizontalPodAutoscaler>({
  toHub(_from, hub) {
    for (const direction of ["scaleDown", "scaleUp"] as const) {
      const tolerance = takeAnnotation(hub, TOLERANCES[direction]);
      if (tolerance === undefined || hub.spec === undefined) continue;
      hub.spec.behavior ??= {};
      const rules: HPAScalingRules = (hub.spec.behavior[direction] ??= {});
      rules.tolerance = tolerance;
    }
    takeAnnotations(hub);
  },
  fromHub(hub, to) {
    takeAnnotations(to);
    for (const direction of ["scaleDown", "scaleUp"] as const) {
      const tolerance = hub.spec?.behavior?.[direction]?.tolerance;
      if (tolerance !== undefined) putAnnotation(to, TOLERANCES[direction], String(tolerance));
    }
  },
});

/** Removes and returns the annotations that hold what other versions have in fields. */
function takeAnnotations(object: { metadata?: { annotations?: Record<string, string> } }): {
  readonly metrics: ReturnType<typeof readMetrics>;
  readonly currentMetrics: ReturnType<typeof readCurrentMetrics>;
  readonly conditions: ReturnType<typeof readConditions>;
  readonly behavior: ReturnType<typeof readBehavior>;
} {
  for (const key of Object.values(TOLERANCES)) takeAnnotation(object, key);
  return {
    metrics: readMetrics(takeAnnotation(object, METRICS)),
    currentMetrics: readCurrentMetrics(takeAnnotation(object, CURRENT_METRICS)),
    conditions: readConditions(takeAnnotation(object, CONDITIONS)),
    behavior: readBehavior(takeAnnotation(object, BEHAVIOR)),
  };
}

function cpuMetric(averageUtilization: number): MetricSpec {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } };
}

function cpuPercent({ type, resource }: MetricSpec): number | undefined {
  return type === "Resource" && resource?.name === "cpu" ? resource.target.averageUtilization : undefined;
}

function cpuUsed({ type, resource }: MetricStatus): number | undefined {
  return type === "Resource" && resource?.name === "cpu" ? resource.current.averageUtilization : undefined;
}

function cpuStatus({ status }: HorizontalPodAutoscalerV1): MetricStatus[] {
  const averageUtilization = status?.currentCPUUtilizationPercentage;
  if (averageUtilization === undefined) return [];
  return [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization } } }];
}
