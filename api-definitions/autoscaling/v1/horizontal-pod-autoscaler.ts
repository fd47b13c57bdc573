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

export interface HorizontalPodAutoscaler extends Namespaced {
  spec?: HorizontalPodAutoscalerSpec & Always;
  status?: HorizontalPodAutoscalerStatus & Always;
}

export interface HorizontalPodAutoscalerSpec {
  scaleTargetRef: CrossVersionObjectReference;
  minReplicas?: Int32 & Default<1>;
  maxReplicas: Int32;
  targetCPUUtilizationPercentage?: Int32;
}

export interface CrossVersionObjectReference extends AtomicStruct {
  kind: string;
  name: string;
  apiVersion?: string & OmitZero;
}

export interface HorizontalPodAutoscalerStatus {
  observedGeneration?: Int64;
  lastScaleTime?: Time;
  currentReplicas: Int32;
  desiredReplicas: Int32;
  currentCPUUtilizationPercentage?: Int32;
}

export const horizontalPodAutoscaler = kind<HorizontalPodAutoscaler>({
  plural: "horizontalpodautoscalers",
  shortNames: ["hpa"],
  categories: ["all"],
  introduced: "1.2",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Reference", type: "string" },
    { name: "Targets", type: "string" },
    { name: "MinPods", type: "string" },
    { name: "MaxPods", type: "string" },
    { name: "Replicas", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
