import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type AtomicStruct,
  type Default,
  type Int32,
  type Int64,
  kind,
  type OmitZero,
  type Time,
} from "../../vocabulary.ts";

/**
 * Scales a workload automatically: it changes the number of pods of a Deployment, a StatefulSet or any other kind with
 * the subresource `scale` so that their CPU utilization stays near a target. Needs a metrics server in the cluster. Use
 * autoscaling/v2 for other metrics; this version has them in annotations.
 */
export interface HorizontalPodAutoscaler extends Namespaced {
  /** Desired state of the HorizontalPodAutoscaler. */
  spec?: HorizontalPodAutoscalerSpec & Always;
  /**
   * Observed state of the HorizontalPodAutoscaler, set by its controller: numbers of pods and the current CPU
   * utilization.
   */
  status?: HorizontalPodAutoscalerStatus & Always;
}

/** Which workload is scaled, between which limits, and to which CPU utilization. */
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
   * Target for the average CPU utilization of the pods, as a percentage of the CPU that their containers request. Pods
   * without CPU requests cannot be measured. Defaults to 80 if no metric is set in the annotation
   * `autoscaling.alpha.kubernetes.io/metrics` either.
   */
  targetCPUUtilizationPercentage?: Int32;
}

/** Reference to an object of any kind in the same namespace. */
export interface CrossVersionObjectReference extends AtomicStruct {
  /** Kind of the object, such as `Deployment`. */
  kind: string;
  /** Name of the object. */
  name: string;
  /** Group and version of the kind, such as `apps/v1`. Only the group matters for finding the object. */
  apiVersion?: string & OmitZero;
}

/** Observed state of a HorizontalPodAutoscaler: numbers of pods and the current CPU utilization. */
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
  /** Observed average CPU utilization of the pods, as a percentage of the CPU that their containers request. */
  currentCPUUtilizationPercentage?: Int32;
}

export const horizontalPodAutoscaler = kind<HorizontalPodAutoscaler>({
  plural: "horizontalpodautoscalers",
  generation: false,
  shortNames: ["hpa"],
  categories: ["all"],
  introduced: "1.2",
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
