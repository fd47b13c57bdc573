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
}

/** What was measured and decided. */
export interface HorizontalPodAutoscalerStatus {
  /** Generation the controller last acted on. */
  observedGeneration?: Int64;
  /** When the number of pods last changed. */
  lastScaleTime?: Time;
  /** Pods there are. */
  currentReplicas: Int32;
  /** Pods there should be. */
  desiredReplicas: Int32;
  /** What was measured. */
  currentMetrics?: ListAtomic<MetricStatus> & Always;
  /** Whether it can scale, and what limits it. */
  conditions?: ListAtomic<HorizontalPodAutoscalerCondition> & Always;
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
  introduced: "1.8",
  deprecated: "1.22",
  removed: "1.25",
  replacement: "autoscaling/v2 HorizontalPodAutoscaler",
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
