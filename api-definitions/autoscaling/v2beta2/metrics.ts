import type { ResourceName } from "../../core/v1/resources.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Int32, OmitZero, Open, Quantity, Since } from "../../vocabulary.ts";

/** One metric to scale by, and its target. Exactly the field that belongs to `type` must be set. */
export interface MetricSpec {
  /** Source of the metric. The field of the same name must be set, and no other one. */
  type: MetricSourceType;
  /**
   * Metric of one object of the cluster, such as the requests per second of an Ingress. Required for the type `Object`.
   */
  object?: ObjectMetricSource;
  /**
   * Metric of each pod of the workload, such as messages per second, averaged over the pods. Required for the type
   * `Pods`.
   */
  pods?: PodsMetricSource;
  /**
   * Resource that the pods of the workload use, such as CPU, averaged over the pods. Required for the type `Resource`.
   */
  resource?: ResourceMetricSource;
  /**
   * Resource that one container in each pod of the workload uses, averaged over the pods. Required for the type
   * `ContainerResource`.
   */
  containerResource?: ContainerResourceMetricSource & Since<"1.20">;
  /** Metric from outside the cluster, such as the length of a cloud queue. Required for the type `External`. */
  external?: ExternalMetricSource;
}

export type MetricSourceType = Open<
  /** A metric of one object of the cluster, from the custom metrics API. */
  | "Object"
  /** A metric of each pod, from the custom metrics API. */
  | "Pods"
  /** CPU or memory use of whole pods, from the resource metrics API. */
  | "Resource"
  /** CPU or memory use of one container in each pod, from the resource metrics API. */
  | "ContainerResource"
  /** A metric from outside the cluster, from the external metrics API. */
  | "External"
>;

/** Metric of one object of the cluster, and its target. */
export interface ObjectMetricSource {
  /** Object that the metric belongs to, in the namespace of the autoscaler. */
  describedObject: CrossVersionObjectReference;
  /**
   * Target for the metric: `value` for the metric itself, or `averageValue` for the metric divided by the number of
   * pods. One of them must be set.
   */
  target: MetricTarget;
  /** Name of the metric, and optionally a label selector for it. */
  metric: MetricIdentifier;
}

/** Reference to an object of any kind in the same namespace. */
export interface CrossVersionObjectReference {
  /** Kind of the object, such as `Deployment`. */
  kind: string;
  /** Name of the object. */
  name: string;
  /** Group and version of the kind, such as `apps/v1`. Only the group matters for finding the object. */
  apiVersion?: string & OmitZero;
}

/** Value of a metric that the autoscaler aims for. Set the field that belongs to `type`. */
export interface MetricTarget {
  /** Which of the fields is the target. */
  type: MetricTargetType;
  /**
   * Target for the value of the metric itself, as a quantity greater than 0. Only for the types `Object` and `External`
   * of metrics.
   */
  value?: Quantity;
  /**
   * Target for the average over all pods, as a quantity greater than 0. For `Object` and `External` metrics, the value
   * is divided by the number of pods.
   */
  averageValue?: Quantity;
  /**
   * Target for the average over all pods of the used share of the requested resource, in percent, at least 1. Only for
   * the types `Resource` and `ContainerResource` of metrics, and excludes `averageValue`.
   */
  averageUtilization?: Int32;
}

export type MetricTargetType = Open<
  /** The target is `averageUtilization`. */
  | "Utilization"
  /** The target is `value`. */
  | "Value"
  /** The target is `averageValue`. */
  | "AverageValue"
>;

/** Identifies a metric in the custom or external metrics API. */
export interface MetricIdentifier {
  /** Name of the metric. Required; must not contain `/` or `%`. */
  name: string;
  /**
   * Label selector that the metrics server gets to narrow the metric down. If unset, the metric is chosen by its name
   * alone.
   */
  selector?: LabelSelector;
}

/** Metric of each pod of the workload, and the target for its average. */
export interface PodsMetricSource {
  /** Name of the metric, and optionally a label selector for it. */
  metric: MetricIdentifier;
  /** Target for the metric. `averageValue` must be set. */
  target: MetricTarget;
}

/** Resource that the pods of the workload use, as the sum over their containers, and the target for its average. */
export interface ResourceMetricSource {
  /** Name of the resource, usually `cpu` or `memory`. */
  name: ResourceName;
  /** Target for the use of the resource. Exactly one of `averageUtilization` and `averageValue` must be set. */
  target: MetricTarget;
}

/**
 * Resource that one container in each pod of the workload uses, and the target for its average. Use it if sidecars
 * should not influence scaling.
 */
export interface ContainerResourceMetricSource {
  /** Name of the resource, usually `cpu` or `memory`. */
  name: ResourceName;
  /** Target for the use of the resource. Exactly one of `averageUtilization` and `averageValue` must be set. */
  target: MetricTarget;
  /** Name of the container in the pods of the workload. Must be a DNS label. */
  container: string;
}

/** Metric from outside the cluster, and its target. */
export interface ExternalMetricSource {
  /** Name of the metric, and optionally a label selector for it. */
  metric: MetricIdentifier;
  /** Target for the metric. Exactly one of `value` and `averageValue` must be set. */
  target: MetricTarget;
}

/** Observed value of one metric, set by the autoscaler. Exactly the field that belongs to `type` is set. */
export interface MetricStatus {
  /** Source of the metric. The field of the same name is set. */
  type: MetricSourceType;
  /** Observed value of a metric of one object of the cluster. Set for the type `Object`. */
  object?: ObjectMetricStatus;
  /** Observed average of a metric of each pod. Set for the type `Pods`. */
  pods?: PodsMetricStatus;
  /** Observed use of a resource by the pods. Set for the type `Resource`. */
  resource?: ResourceMetricStatus;
  /** Observed use of a resource by one container in each pod. Set for the type `ContainerResource`. */
  containerResource?: ContainerResourceMetricStatus & Since<"1.20">;
  /** Observed value of a metric from outside the cluster. Set for the type `External`. */
  external?: ExternalMetricStatus;
}

/** Observed value of a metric of one object of the cluster. */
export interface ObjectMetricStatus {
  /** Name of the metric, and its label selector if there is one. */
  metric: MetricIdentifier;
  /** Observed value of the metric: `value`, or `averageValue` if the target is an average. */
  current: MetricValueStatus;
  /** Object that the metric belongs to, in the namespace of the autoscaler. */
  describedObject: CrossVersionObjectReference;
}

/** Observed value of a metric. */
export interface MetricValueStatus {
  /** Observed value of the metric itself, as a quantity. */
  value?: Quantity;
  /** Observed average over all pods, as a quantity. */
  averageValue?: Quantity;
  /**
   * Observed average over all pods of the used share of the requested resource, in percent. Only set for the types
   * `Resource` and `ContainerResource` of metrics.
   */
  averageUtilization?: Int32;
}

/** Observed average of a metric of each pod of the workload. */
export interface PodsMetricStatus {
  /** Name of the metric, and its label selector if there is one. */
  metric: MetricIdentifier;
  /** Observed value of the metric: `averageValue`. */
  current: MetricValueStatus;
}

/** Observed use of a resource by the pods of the workload. */
export interface ResourceMetricStatus {
  /** Name of the resource, usually `cpu` or `memory`. */
  name: ResourceName;
  /** Observed use of the resource: `averageValue`, and `averageUtilization` if that is the target. */
  current: MetricValueStatus;
}

/** Observed use of a resource by one container in each pod of the workload. */
export interface ContainerResourceMetricStatus {
  /** Name of the resource, usually `cpu` or `memory`. */
  name: ResourceName;
  /** Observed use of the resource: `averageValue`, and `averageUtilization` if that is the target. */
  current: MetricValueStatus;
  /** Name of the container in the pods of the workload. */
  container: string;
}

/** Observed value of a metric from outside the cluster. */
export interface ExternalMetricStatus {
  /** Name of the metric, and its label selector if there is one. */
  metric: MetricIdentifier;
  /** Observed value of the metric: `value`, or `averageValue` if the target is an average. */
  current: MetricValueStatus;
}
