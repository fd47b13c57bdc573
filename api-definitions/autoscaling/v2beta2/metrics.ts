import type { ResourceName } from "../../core/v1/resources.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Int32, OmitZero, Open, Quantity } from "../../vocabulary.ts";

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

export type MetricSourceType = Open<"Object" | "Pods" | "Resource" | "ContainerResource" | "External">;

/** A number of one object. */
export interface ObjectMetricSource {
  /** The object. */
  describedObject: CrossVersionObjectReference;
  /** What it should be. */
  target: MetricTarget;
  /** The number. */
  metric: MetricIdentifier;
}

/** An object of the same namespace. */
export interface CrossVersionObjectReference {
  /** Its kind. */
  kind: string;
  /** Its name. */
  name: string;
  /** Group and version of its kind. */
  apiVersion?: string & OmitZero;
}

/** What a number should be. */
export interface MetricTarget {
  /** Which of the three is meant. */
  type: MetricTargetType;
  /** The number itself. */
  value?: Quantity;
  /** The number per pod. */
  averageValue?: Quantity;
  /** The share of what pods request, in percent. */
  averageUtilization?: Int32;
}

export type MetricTargetType = Open<"Utilization" | "Value" | "AverageValue">;

/** A number that is measured. */
export interface MetricIdentifier {
  /** Its name. */
  name: string;
  /** Labels that tell it from others. */
  selector?: LabelSelector;
}

/** A number every pod has. */
export interface PodsMetricSource {
  /** The number. */
  metric: MetricIdentifier;
  /** What it should be, on average. */
  target: MetricTarget;
}

/** How much every pod uses of a resource. */
export interface ResourceMetricSource {
  /** The resource. */
  name: ResourceName;
  /** How much it should be. */
  target: MetricTarget;
}

/** How much one container of every pod uses. */
export interface ContainerResourceMetricSource {
  /** The resource. */
  name: ResourceName;
  /** How much it should be. */
  target: MetricTarget;
  /** The container. */
  container: string;
}

/** A number from outside the cluster. */
export interface ExternalMetricSource {
  /** The number. */
  metric: MetricIdentifier;
  /** What it should be. */
  target: MetricTarget;
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
  /** The number. */
  metric: MetricIdentifier;
  /** What it is. */
  current: MetricValueStatus;
  /** The object. */
  describedObject: CrossVersionObjectReference;
}

/** What a number is. */
export interface MetricValueStatus {
  /** The number itself. */
  value?: Quantity;
  /** The number per pod. */
  averageValue?: Quantity;
  /** The share of what pods request, in percent. */
  averageUtilization?: Int32;
}

/** What a number every pod has is now. */
export interface PodsMetricStatus {
  /** The number. */
  metric: MetricIdentifier;
  /** What it is, on average. */
  current: MetricValueStatus;
}

/** How much every pod uses of a resource now. */
export interface ResourceMetricStatus {
  /** The resource. */
  name: ResourceName;
  /** How much it is. */
  current: MetricValueStatus;
}

/** How much one container of every pod uses now. */
export interface ContainerResourceMetricStatus {
  /** The resource. */
  name: ResourceName;
  /** How much it is. */
  current: MetricValueStatus;
  /** The container. */
  container: string;
}

/** What a number from outside the cluster is now. */
export interface ExternalMetricStatus {
  /** The number. */
  metric: MetricIdentifier;
  /** What it is. */
  current: MetricValueStatus;
}
