import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { ResourceName } from "../../core/v1/resources.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Always, Int32, OmitZero, Open, Quantity, Time } from "../../vocabulary.ts";
import type { CrossVersionObjectReference } from "./horizontal-pod-autoscaler.ts";

export interface HorizontalPodAutoscalerCondition {
  type: HorizontalPodAutoscalerConditionType;
  status: ConditionStatus;
  lastTransitionTime?: Time & Always;
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export type HorizontalPodAutoscalerConditionType = Open<"ScalingActive" | "AbleToScale" | "ScalingLimited">;

export interface MetricSpec {
  type: MetricSourceType;
  object?: ObjectMetricSource;
  pods?: PodsMetricSource;
  resource?: ResourceMetricSource;
  containerResource?: ContainerResourceMetricSource;
  external?: ExternalMetricSource;
}

export type MetricSourceType = "Object" | "Pods" | "Resource" | "ContainerResource" | "External";

export interface ObjectMetricSource {
  target: CrossVersionObjectReference;
  metricName: string;
  targetValue: Quantity;
  selector?: LabelSelector;
  averageValue?: Quantity;
}

export interface PodsMetricSource {
  metricName: string;
  targetAverageValue: Quantity;
  selector?: LabelSelector;
}

export interface ResourceMetricSource {
  name: ResourceName;
  targetAverageUtilization?: Int32;
  targetAverageValue?: Quantity;
}

export interface ContainerResourceMetricSource {
  name: ResourceName;
  targetAverageUtilization?: Int32;
  targetAverageValue?: Quantity;
  container: string;
}

export interface ExternalMetricSource {
  metricName: string;
  metricSelector?: LabelSelector;
  targetValue?: Quantity;
  targetAverageValue?: Quantity;
}

export interface MetricStatus {
  type: MetricSourceType;
  object?: ObjectMetricStatus;
  pods?: PodsMetricStatus;
  resource?: ResourceMetricStatus;
  containerResource?: ContainerResourceMetricStatus;
  external?: ExternalMetricStatus;
}

export interface ObjectMetricStatus {
  target: CrossVersionObjectReference;
  metricName: string;
  currentValue: Quantity;
  selector?: LabelSelector;
  averageValue?: Quantity;
}

export interface PodsMetricStatus {
  metricName: string;
  currentAverageValue: Quantity;
  selector?: LabelSelector;
}

export interface ResourceMetricStatus {
  name: ResourceName;
  currentAverageUtilization?: Int32;
  currentAverageValue: Quantity;
}

export interface ContainerResourceMetricStatus {
  name: ResourceName;
  currentAverageUtilization?: Int32;
  currentAverageValue: Quantity;
  container: string;
}

export interface ExternalMetricStatus {
  metricName: string;
  metricSelector?: LabelSelector;
  currentValue: Quantity;
  currentAverageValue?: Quantity;
}
