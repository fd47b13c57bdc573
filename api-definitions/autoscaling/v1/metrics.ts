import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { ResourceName } from "../../core/v1/resources.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Always, Int32, OmitZero, Open, Quantity, Since, Time } from "../../vocabulary.ts";
import type { CrossVersionObjectReference } from "./horizontal-pod-autoscaler.ts";

/** One aspect of the observed state of an autoscaler, such as whether it can read its metrics. */
export interface HorizontalPodAutoscalerCondition {
  /** Type of the condition, such as `AbleToScale`. */
  type: HorizontalPodAutoscalerConditionType;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Time at which `status` last changed. */
  lastTransitionTime?: Time & Always;
  /** Machine-readable reason of the last transition, in CamelCase. */
  reason?: string & OmitZero;
  /** Human-readable details of the last transition. */
  message?: string & OmitZero;
}

export type HorizontalPodAutoscalerConditionType = Open<
  /**
   * The autoscaler can compute a number of pods: it can read its metrics, and scaling is not disabled by a workload
   * that is scaled to 0.
   */
  | "ScalingActive"
  /** The autoscaler can read and change the scale of the workload, and no delay prevents it from scaling now. */
  | "AbleToScale"
  /** The computed number of pods was limited by `minReplicas`, `maxReplicas` or the rate of change. */
  | "ScalingLimited"
>;

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
  external?: ExternalMetricSource & Since<"1.10">;
}

export type MetricSourceType =
  /** A metric of one object of the cluster, from the custom metrics API. */
  | "Object"
  /** A metric of each pod, from the custom metrics API. */
  | "Pods"
  /** CPU or memory use of whole pods, from the resource metrics API. */
  | "Resource"
  /** CPU or memory use of one container in each pod, from the resource metrics API. */
  | "ContainerResource"
  /** A metric from outside the cluster, from the external metrics API. */
  | "External";

/** Metric of one object of the cluster, and its target. */
export interface ObjectMetricSource {
  /** Object that the metric belongs to, in the namespace of the autoscaler. */
  target: CrossVersionObjectReference;
  /** Name of the metric in the custom metrics API. */
  metricName: string;
  /** Target for the value of the metric, as a quantity. */
  targetValue: Quantity;
  /**
   * Label selector that the metrics server gets to narrow the metric down. If unset, the metric is chosen by its name
   * alone.
   */
  selector?: LabelSelector & Since<"1.12">;
  /**
   * Target for the value of the metric divided by the number of pods, as a quantity. Takes precedence over
   * `targetValue`.
   */
  averageValue?: Quantity & Since<"1.12">;
}

/** Metric of each pod of the workload, and the target for its average. */
export interface PodsMetricSource {
  /** Name of the metric in the custom metrics API. */
  metricName: string;
  /** Target for the average of the metric over all pods, as a quantity. */
  targetAverageValue: Quantity;
  /**
   * Label selector that the metrics server gets to narrow the metric down. If unset, the metric is chosen by its name
   * alone.
   */
  selector?: LabelSelector & Since<"1.12">;
}

/** Resource that the pods of the workload use, as the sum over their containers, and the target for its average. */
export interface ResourceMetricSource {
  /** Name of the resource, usually `cpu` or `memory`. */
  name: ResourceName;
  /**
   * Target for the average over all pods of the used share of the requested resource, in percent. Excludes
   * `targetAverageValue`.
   */
  targetAverageUtilization?: Int32;
  /**
   * Target for the average use of the resource over all pods, as a quantity such as `500m`. Excludes
   * `targetAverageUtilization`.
   */
  targetAverageValue?: Quantity;
}

/**
 * Resource that one container in each pod of the workload uses, and the target for its average. Use it if sidecars
 * should not influence scaling.
 */
export interface ContainerResourceMetricSource {
  /** Name of the resource, usually `cpu` or `memory`. */
  name: ResourceName;
  /**
   * Target for the average over all pods of the used share of what the container requests, in percent. Excludes
   * `targetAverageValue`.
   */
  targetAverageUtilization?: Int32;
  /**
   * Target for the average use of the resource by the container over all pods, as a quantity such as `500m`. Excludes
   * `targetAverageUtilization`.
   */
  targetAverageValue?: Quantity;
  /** Name of the container in the pods of the workload. Must be a DNS label. */
  container: string;
}

/** Metric from outside the cluster, and its target. */
export interface ExternalMetricSource {
  /** Name of the metric in the external metrics API. */
  metricName: string;
  /**
   * Label selector that the metrics server gets to narrow the metric down. If unset, the metric is chosen by its name
   * alone.
   */
  metricSelector?: LabelSelector;
  /** Target for the value of the metric, as a quantity. Excludes `targetAverageValue`. */
  targetValue?: Quantity;
  /** Target for the value of the metric divided by the number of pods, as a quantity. Excludes `targetValue`. */
  targetAverageValue?: Quantity;
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
  external?: ExternalMetricStatus & Since<"1.10">;
}

/** Observed value of a metric of one object of the cluster. */
export interface ObjectMetricStatus {
  /** Object that the metric belongs to, in the namespace of the autoscaler. */
  target: CrossVersionObjectReference;
  /** Name of the metric in the custom metrics API. */
  metricName: string;
  /** Observed value of the metric, as a quantity. */
  currentValue: Quantity;
  /** Label selector that narrowed the metric down, copied from the spec. */
  selector?: LabelSelector & Since<"1.12">;
  /** Observed value of the metric divided by the number of pods, as a quantity. */
  averageValue?: Quantity & Since<"1.12">;
}

/** Observed average of a metric of each pod of the workload. */
export interface PodsMetricStatus {
  /** Name of the metric in the custom metrics API. */
  metricName: string;
  /** Observed average of the metric over all pods, as a quantity. */
  currentAverageValue: Quantity;
  /** Label selector that narrowed the metric down, copied from the spec. */
  selector?: LabelSelector & Since<"1.12">;
}

/** Observed use of a resource by the pods of the workload. */
export interface ResourceMetricStatus {
  /** Name of the resource, usually `cpu` or `memory`. */
  name: ResourceName;
  /**
   * Observed average over all pods of the used share of the requested resource, in percent. Only set if the target is a
   * utilization.
   */
  currentAverageUtilization?: Int32;
  /** Observed average use of the resource over all pods, as a quantity. */
  currentAverageValue: Quantity;
}

/** Observed use of a resource by one container in each pod of the workload. */
export interface ContainerResourceMetricStatus {
  /** Name of the resource, usually `cpu` or `memory`. */
  name: ResourceName;
  /**
   * Observed average over all pods of the used share of what the container requests, in percent. Only set if the target
   * is a utilization.
   */
  currentAverageUtilization?: Int32;
  /** Observed average use of the resource by the container over all pods, as a quantity. */
  currentAverageValue: Quantity;
  /** Name of the container in the pods of the workload. */
  container: string;
}

/** Observed value of a metric from outside the cluster. */
export interface ExternalMetricStatus {
  /** Name of the metric in the external metrics API. */
  metricName: string;
  /** Label selector that narrowed the metric down, copied from the spec. */
  metricSelector?: LabelSelector;
  /** Observed value of the metric, as a quantity. */
  currentValue: Quantity;
  /** Observed value of the metric divided by the number of pods, as a quantity. */
  currentAverageValue?: Quantity;
}
