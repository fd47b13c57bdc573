import type { ResourceName } from "../../core/v1/resources.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Int32, OmitZero, Open, Quantity } from "../../vocabulary.ts";

export interface MetricSpec {
  type: MetricSourceType;
  object?: ObjectMetricSource;
  pods?: PodsMetricSource;
  resource?: ResourceMetricSource;
  containerResource?: ContainerResourceMetricSource;
  external?: ExternalMetricSource;
}

export type MetricSourceType = Open<"Object" | "Pods" | "Resource" | "ContainerResource" | "External">;

export interface ObjectMetricSource {
  describedObject: CrossVersionObjectReference;
  target: MetricTarget;
  metric: MetricIdentifier;
}

export interface CrossVersionObjectReference {
  kind: string;
  name: string;
  apiVersion?: string & OmitZero;
}

export interface MetricTarget {
  type: MetricTargetType;
  value?: Quantity;
  averageValue?: Quantity;
  averageUtilization?: Int32;
}

export type MetricTargetType = Open<"Utilization" | "Value" | "AverageValue">;

export interface MetricIdentifier {
  name: string;
  selector?: LabelSelector;
}

export interface PodsMetricSource {
  metric: MetricIdentifier;
  target: MetricTarget;
}

export interface ResourceMetricSource {
  name: ResourceName;
  target: MetricTarget;
}

export interface ContainerResourceMetricSource {
  name: ResourceName;
  target: MetricTarget;
  container: string;
}

export interface ExternalMetricSource {
  metric: MetricIdentifier;
  target: MetricTarget;
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
  metric: MetricIdentifier;
  current: MetricValueStatus;
  describedObject: CrossVersionObjectReference;
}

export interface MetricValueStatus {
  value?: Quantity;
  averageValue?: Quantity;
  averageUtilization?: Int32;
}

export interface PodsMetricStatus {
  metric: MetricIdentifier;
  current: MetricValueStatus;
}

export interface ResourceMetricStatus {
  name: ResourceName;
  current: MetricValueStatus;
}

export interface ContainerResourceMetricStatus {
  name: ResourceName;
  current: MetricValueStatus;
  container: string;
}

export interface ExternalMetricStatus {
  metric: MetricIdentifier;
  current: MetricValueStatus;
}
