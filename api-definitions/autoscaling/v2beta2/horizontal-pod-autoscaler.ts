import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Int32,
  type Int64,
  kind,
  type ListAtomic,
  type OmitZero,
  type Open,
  type Time,
} from "../../vocabulary.ts";
import type { CrossVersionObjectReference, MetricSpec, MetricStatus } from "./metrics.ts";

export interface HorizontalPodAutoscaler extends Namespaced {
  spec?: HorizontalPodAutoscalerSpec & Always;
  status?: HorizontalPodAutoscalerStatus & Always;
}

export interface HorizontalPodAutoscalerSpec {
  scaleTargetRef: CrossVersionObjectReference;
  minReplicas?: Int32 & Default<1>;
  maxReplicas: Int32;
  metrics?: ListAtomic<MetricSpec>;
  behavior?: HorizontalPodAutoscalerBehavior;
}

export interface HorizontalPodAutoscalerBehavior {
  scaleUp?: HPAScalingRules;
  scaleDown?: HPAScalingRules;
}

export interface HPAScalingRules {
  stabilizationWindowSeconds?: Int32;
  selectPolicy?: ScalingPolicySelect;
  policies?: ListAtomic<HPAScalingPolicy>;
}

export type ScalingPolicySelect = Open<"Max" | "Min" | "Disabled">;

export interface HPAScalingPolicy {
  type: HPAScalingPolicyType;
  value: Int32;
  periodSeconds: Int32;
}

export type HPAScalingPolicyType = Open<"Pods" | "Percent">;

export interface HorizontalPodAutoscalerStatus {
  observedGeneration?: Int64;
  lastScaleTime?: Time;
  currentReplicas: Int32;
  desiredReplicas: Int32;
  currentMetrics?: ListAtomic<MetricStatus> & Always;
  conditions?: ListAtomic<HorizontalPodAutoscalerCondition> & Always;
}

export interface HorizontalPodAutoscalerCondition {
  type: HorizontalPodAutoscalerConditionType;
  status: ConditionStatus;
  lastTransitionTime?: Time & Always;
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export type HorizontalPodAutoscalerConditionType = Open<"ScalingActive" | "AbleToScale" | "ScalingLimited">;

export const horizontalPodAutoscaler = kind<HorizontalPodAutoscaler>({
  plural: "horizontalpodautoscalers",
  shortNames: ["hpa"],
  categories: ["all"],
  introduced: "1.12",
  deprecated: "1.23",
  removed: "1.26",
  replacement: "autoscaling/v2 HorizontalPodAutoscaler",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Reference", type: "string" },
    { name: "Targets", type: "string" },
    { name: "MinPods", type: "string" },
    { name: "MaxPods", type: "string" },
    { name: "Replicas", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
