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
  /** Share of the requested CPU that pods should use. */
  targetCPUUtilizationPercentage?: Int32;
}

/** An object of the same namespace. */
export interface CrossVersionObjectReference extends AtomicStruct {
  /** Its kind. */
  kind: string;
  /** Its name. */
  name: string;
  /** Group and version of its kind. */
  apiVersion?: string & OmitZero;
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
  /** Share of the requested CPU that pods use. */
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
    { name: "Reference", type: "string", description: "The object that is scaled." },
    { name: "Targets", type: "string", description: "What is measured, and what it should be." },
    { name: "MinPods", type: "string", description: "The fewest pods." },
    { name: "MaxPods", type: "string", description: "The most pods." },
    { name: "Replicas", type: "string", description: "How many there are." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
