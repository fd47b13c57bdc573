import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Gated,
  type Int32,
  type Int64,
  kind,
  type ListAtomic,
  type ListMap,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Quantity,
  type Time,
} from "../../vocabulary.ts";
import type { CrossVersionObjectReference, MetricSpec, MetricStatus } from "./metrics.ts";

/** Adds and removes pods as the load changes. */
export interface HorizontalPodAutoscaler extends Namespaced {
  /** What is asked for. */
  spec?: HorizontalPodAutoscalerSpec & Always;
  /** What is the case, as last seen. */
  status?: HorizontalPodAutoscalerStatus & Always;
}

/** What is scaled, between which numbers, and by what. */
export interface HorizontalPodAutoscalerSpec {
  /** The object that is scaled. */
  scaleTargetRef: CrossVersionObjectReference;
  /** The fewest pods. */
  minReplicas?: Int32 & Default<1>;
  /** The most pods. */
  maxReplicas: Int32;
  /** Numbers to go by; the one that asks for most pods counts. */
  metrics?: ListAtomic<MetricSpec>;
  /** How fast the number of pods changes. */
  behavior?: HorizontalPodAutoscalerBehavior;
}

/** How fast the number of pods changes. */
export interface HorizontalPodAutoscalerBehavior {
  /** Upwards. */
  scaleUp?: HPAScalingRules;
  /** Downwards. */
  scaleDown?: HPAScalingRules;
}

/** How fast the number of pods changes in one direction. */
export interface HPAScalingRules {
  /** Seconds of the past that are looked at before changing. */
  stabilizationWindowSeconds?: Int32;
  /** Which policy counts when they differ. */
  selectPolicy?: ScalingPolicySelect;
  /** How much may change in a while. */
  policies?: ListAtomic<HPAScalingPolicy>;
  /** How far off a number may be before anything changes. */
  tolerance?: Quantity & Gated<"HPAConfigurableTolerance">;
}

export type ScalingPolicySelect = Open<"Max" | "Min" | "Disabled">;

/** How much may change in a while. */
export interface HPAScalingPolicy {
  /** Whether pods or percent are counted. */
  type: HPAScalingPolicyType;
  /** How many. */
  value: Int32;
  /** In how many seconds. */
  periodSeconds: Int32;
}

export type HPAScalingPolicyType = Open<"Pods" | "Percent">;

/** What was measured and decided. */
export interface HorizontalPodAutoscalerStatus {
  /** Generation the controller last acted on. */
  observedGeneration?: Int64;
  /** When the number of pods last changed. */
  lastScaleTime?: Time;
  /** Pods there are. */
  currentReplicas?: Int32 & OmitZero;
  /** Pods there should be. */
  desiredReplicas: Int32;
  /** What was measured. */
  currentMetrics?: ListAtomic<MetricStatus> & Always;
  /** Whether it can scale, and what limits it. */
  conditions?: ListMap<HorizontalPodAutoscalerCondition, "type"> & PatchMerge<"type">;
}

/** One finding about an object. */
export interface HorizontalPodAutoscalerCondition {
  /** What the finding is about. */
  type: HorizontalPodAutoscalerConditionType;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
  message?: string & OmitZero;
}

export type HorizontalPodAutoscalerConditionType = Open<"ScalingActive" | "AbleToScale" | "ScalingLimited">;

export const horizontalPodAutoscaler = kind<HorizontalPodAutoscaler>({
  plural: "horizontalpodautoscalers",
  generation: false,
  shortNames: ["hpa"],
  categories: ["all"],
  introduced: "1.23",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Reference", type: "string", description: "The object that is scaled." },
    { name: "Targets", type: "string", description: "What is measured, and what it should be." },
    { name: "MinPods", type: "string", description: "The fewest pods." },
    { name: "MaxPods", type: "string", description: "The most pods." },
    { name: "Replicas", type: "string", description: "How many there are." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
