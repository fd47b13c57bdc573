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

/**
 * Scales a workload automatically: it changes the number of pods of a Deployment, a StatefulSet or any other kind with
 * the subresource `scale` so that metrics such as CPU utilization stay near their targets. Resource metrics need a
 * metrics server in the cluster.
 */
export interface HorizontalPodAutoscaler extends Namespaced {
  /** Desired state of the HorizontalPodAutoscaler. */
  spec?: HorizontalPodAutoscalerSpec & Always;
  /**
   * Observed state of the HorizontalPodAutoscaler, set by its controller: numbers of pods, current values of the
   * metrics and conditions.
   */
  status?: HorizontalPodAutoscalerStatus & Always;
}

/** Which workload is scaled, between which limits, and by which metrics. */
export interface HorizontalPodAutoscalerSpec {
  /**
   * Workload to scale, in the namespace of the autoscaler. Its kind must have the subresource `scale`. Only one
   * autoscaler should scale a workload.
   */
  scaleTargetRef: CrossVersionObjectReference;
  /**
   * Minimum number of pods that the autoscaler scales down to, at least 1. 0 is allowed with the feature gate
   * `HPAScaleToZero` and at least one metric of type `Object` or `External`. Must not exceed `maxReplicas`.
   */
  minReplicas?: Int32 & Default<1>;
  /** Maximum number of pods that the autoscaler scales up to. At least 1, and not less than `minReplicas`. */
  maxReplicas: Int32;
  /**
   * Metrics to scale by. The number of pods is computed for each metric, and the largest one counts; if a metric cannot
   * be read, the autoscaler does not scale down. Defaults to an average CPU utilization of 80 % of the requests.
   */
  metrics?: ListAtomic<MetricSpec>;
}

/** Observed state of a HorizontalPodAutoscaler: numbers of pods, current values of the metrics and conditions. */
export interface HorizontalPodAutoscalerStatus {
  /**
   * Value of `metadata.generation` that the controller last processed. Usually unset, because the server does not set
   * `metadata.generation` of these objects.
   */
  observedGeneration?: Int64;
  /**
   * Time at which the autoscaler last changed the number of pods of the workload. Changes by others do not count. Unset
   * if it never did.
   */
  lastScaleTime?: Time;
  /** Observed number of pods of the workload, as last seen by the autoscaler. */
  currentReplicas: Int32;
  /** Number of pods that the autoscaler last computed, after applying its limits. */
  desiredReplicas: Int32;
  /** Observed values of the metrics of the spec, as last read by the autoscaler. */
  currentMetrics?: ListAtomic<MetricStatus> & Always;
  /**
   * Observed conditions of the autoscaler, set by its controller: `AbleToScale`, `ScalingActive` and `ScalingLimited`.
   */
  conditions?: ListAtomic<HorizontalPodAutoscalerCondition> & Always;
}

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
    { name: "Reference", type: "string", description: "Workload that is scaled, as `<kind>/<name>`." },
    { name: "Targets", type: "string", description: "Current value and target of each metric." },
    { name: "MinPods", type: "string", description: "Minimum number of pods." },
    { name: "MaxPods", type: "string", description: "Maximum number of pods." },
    { name: "Replicas", type: "string", description: "Observed number of pods." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since the object was created.",
    },
  ],
});
