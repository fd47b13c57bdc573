import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { ResourceName } from "../../core/v1/resources.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Always, Int32, OmitZero, Open, Quantity, Time } from "../../vocabulary.ts";
import type { CrossVersionObjectReference } from "./horizontal-pod-autoscaler.ts";

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

/** A number to go by; one of the five. */
export interface MetricSpec {
  /** Which one. */
  type: MetricSourceType;
  /** A number of one object. */
  object?: ObjectMetricSource;
  /** A number every pod has. */
  pods?: PodsMetricSource;
  /** How much every pod uses of a resource. */
  resource?: ResourceMetricSource;
  /** How much one container of every pod uses. */
  containerResource?: ContainerResourceMetricSource;
  /** A number from outside the cluster. */
  external?: ExternalMetricSource;
}

export type MetricSourceType = "Object" | "Pods" | "Resource" | "ContainerResource" | "External";

/** A number of one object. */
export interface ObjectMetricSource {
  /** What it should be. */
  target: CrossVersionObjectReference;
  /** Name of the number. */
  metricName: string;
  /** What it should be. */
  targetValue: Quantity;
  /** Labels that tell it from others. */
  selector?: LabelSelector;
  /** What it should be, divided by the number of pods. */
  averageValue?: Quantity;
}

/** A number every pod has. */
export interface PodsMetricSource {
  /** Name of the number. */
  metricName: string;
  /** What it should be, on average. */
  targetAverageValue: Quantity;
  /** Labels that tell it from others. */
  selector?: LabelSelector;
}

/** How much every pod uses of a resource. */
export interface ResourceMetricSource {
  /** The resource. */
  name: ResourceName;
  /** Share of their requests pods should use. */
  targetAverageUtilization?: Int32;
  /** How much pods should use. */
  targetAverageValue?: Quantity;
}

/** How much one container of every pod uses. */
export interface ContainerResourceMetricSource {
  /** The resource. */
  name: ResourceName;
  /** Share of its requests it should use. */
  targetAverageUtilization?: Int32;
  /** How much it should use. */
  targetAverageValue?: Quantity;
  /** The container. */
  container: string;
}

/** A number from outside the cluster. */
export interface ExternalMetricSource {
  /** Name of the number. */
  metricName: string;
  /** Labels that tell it from others. */
  metricSelector?: LabelSelector;
  /** What it should be. */
  targetValue?: Quantity;
  /** What it should be, divided by the number of pods. */
  targetAverageValue?: Quantity;
}

/** What a number is now; one of the five. */
export interface MetricStatus {
  /** Which one. */
  type: MetricSourceType;
  /** A number of one object. */
  object?: ObjectMetricStatus;
  /** A number every pod has. */
  pods?: PodsMetricStatus;
  /** How much every pod uses of a resource. */
  resource?: ResourceMetricStatus;
  /** How much one container of every pod uses. */
  containerResource?: ContainerResourceMetricStatus;
  /** A number from outside the cluster. */
  external?: ExternalMetricStatus;
}

/** What a number of one object is now. */
export interface ObjectMetricStatus {
  /** The object. */
  target: CrossVersionObjectReference;
  /** Name of the number. */
  metricName: string;
  /** What it is. */
  currentValue: Quantity;
  /** Labels that tell it from others. */
  selector?: LabelSelector;
  /** What it is, divided by the number of pods. */
  averageValue?: Quantity;
}

/** What a number every pod has is now. */
export interface PodsMetricStatus {
  /** Name of the number. */
  metricName: string;
  /** What it is, on average. */
  currentAverageValue: Quantity;
  /** Labels that tell it from others. */
  selector?: LabelSelector;
}

/** How much every pod uses of a resource now. */
export interface ResourceMetricStatus {
  /** The resource. */
  name: ResourceName;
  /** Share of their requests pods use. */
  currentAverageUtilization?: Int32;
  /** How much pods use. */
  currentAverageValue: Quantity;
}

/** How much one container of every pod uses now. */
export interface ContainerResourceMetricStatus {
  /** The resource. */
  name: ResourceName;
  /** Share of its requests it uses. */
  currentAverageUtilization?: Int32;
  /** How much it uses. */
  currentAverageValue: Quantity;
  /** The container. */
  container: string;
}

/** What a number from outside the cluster is now. */
export interface ExternalMetricStatus {
  /** Name of the number. */
  metricName: string;
  /** Labels that tell it from others. */
  metricSelector?: LabelSelector;
  /** What it is. */
  currentValue: Quantity;
  /** What it is, divided by the number of pods. */
  currentAverageValue?: Quantity;
}
