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
  type Since,
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

/** Which workload is scaled, between which limits, by which metrics, and how fast. */
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
  /**
   * How fast the workload is scaled up and down. If unset, the settings of the controller apply; by default each
   * evaluation, every 15 seconds, at most doubles the number of pods or raises it to 4, and scaling down goes no lower
   * than the largest number computed in the last 5 minutes.
   */
  behavior?: HorizontalPodAutoscalerBehavior & Since<"1.18">;
}

/** How fast a workload is scaled, separately for each direction. Rules that are not set get defaults. */
export interface HorizontalPodAutoscalerBehavior {
  /**
   * How fast pods are added. Defaults to no stabilization window and to the larger of 4 pods and 100 % of the current
   * pods every 15 seconds.
   */
  scaleUp?: HPAScalingRules;
  /**
   * How fast pods are removed. Defaults to the stabilization window of the controller, 300 seconds, and to 100 % of the
   * current pods every 15 seconds.
   */
  scaleDown?: HPAScalingRules;
}

/** How fast the number of pods may change in one direction. */
export interface HPAScalingRules {
  /**
   * Seconds over which recommendations are considered so that the number of pods does not flap: scaling down uses the
   * highest one in the window, scaling up the lowest. Between 0 and 3600; 0 acts on the latest recommendation at once.
   * Defaults to 0 for scaling up, and for scaling down to the setting of the controller, which is 300 unless changed.
   */
  stabilizationWindowSeconds?: Int32;
  /** Which of `policies` applies if they allow different changes. Defaults to `Max`. */
  selectPolicy?: ScalingPolicySelect;
  /**
   * Limits for the change in a period of time; `selectPolicy` chooses among them. Must not be an empty list. If unset,
   * the defaults of the direction apply.
   */
  policies?: ListAtomic<HPAScalingPolicy>;
}

export type ScalingPolicySelect = Open<
  /** The policy that allows the largest change applies. */
  | "Max"
  /** The policy that allows the smallest change applies. */
  | "Min"
  /** Scaling in this direction is disabled. */
  | "Disabled"
>;

/** Limit for the change of the number of pods in a period of time. */
export interface HPAScalingPolicy {
  /** Unit of `value`: pods or percent. */
  type: HPAScalingPolicyType;
  /**
   * Maximum change in the period, as a number of pods or as a percentage of the pods at its beginning. Must be greater
   * than 0.
   */
  value: Int32;
  /** Length of the period in seconds, between 1 and 1800. */
  periodSeconds: Int32;
}

export type HPAScalingPolicyType = Open<
  /** `value` is a number of pods. */
  | "Pods"
  /** `value` is a percentage of the pods at the beginning of the period. */
  | "Percent"
>;

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
  /** Number of pods that the autoscaler last computed, after limits and `behavior`. */
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
  introduced: "1.12",
  deprecated: "1.23",
  removed: "1.26",
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
