import type {
  Always,
  Deprecated,
  Gated,
  Int64,
  ListAtomic,
  ListMap,
  OmitZero,
  Open,
  PatchMerge,
  PatchRetainKeys,
  Time,
} from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";
import type { ContainerStatus } from "./container-status.ts";

export interface PodStatus {
  observedGeneration?: Int64 & OmitZero & Gated<"PodObservedGenerationTracking">;
  phase?: PodPhase & OmitZero;
  conditions?: ListMap<PodCondition, "type"> & PatchMerge<"type">;
  message?: string & OmitZero;
  reason?: string & OmitZero;
  nominatedNodeName?: string & OmitZero;
  hostIP?: string & OmitZero;
  hostIPs?: ListAtomic<HostIP> & PatchMerge<"ip">;
  podIP?: string & OmitZero;
  podIPs?: ListMap<PodIP, "ip"> & PatchMerge<"ip">;
  startTime?: Time;
  initContainerStatuses?: ListAtomic<ContainerStatus>;
  containerStatuses?: ListAtomic<ContainerStatus>;
  qosClass?: PodQOSClass & OmitZero;
  ephemeralContainerStatuses?: ListAtomic<ContainerStatus>;
  resize?: PodResizeStatus & OmitZero & Gated<"InPlacePodVerticalScaling"> & Deprecated;
  resourceClaimStatuses?: ListMap<PodResourceClaimStatus, "name"> &
    PatchMerge<"name"> &
    PatchRetainKeys &
    Gated<"DynamicResourceAllocation">;
}

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";

export type PodQOSClass = "Guaranteed" | "Burstable" | "BestEffort";

export type PodResizeStatus = Open<"InProgress" | "Deferred" | "Infeasible">;

export interface PodCondition {
  type: PodConditionType;
  observedGeneration?: Int64 & OmitZero & Gated<"PodObservedGenerationTracking">;
  status: ConditionStatus;
  lastProbeTime?: Time & Always;
  lastTransitionTime?: Time & Always;
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export type PodConditionType = Open<
  | "ContainersReady"
  | "Initialized"
  | "Ready"
  | "PodScheduled"
  | "DisruptionTarget"
  | "PodReadyToStartContainers"
  | "PodResizePending"
  | "PodResizeInProgress"
>;

export interface HostIP {
  ip: string;
}

export interface PodIP {
  ip: string;
}

export interface PodResourceClaimStatus {
  name: string;
  resourceClaimName?: string;
}
