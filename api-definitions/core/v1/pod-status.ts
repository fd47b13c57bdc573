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

/** What is known of a pod. */
export interface PodStatus {
  /** Generation the kubelet last acted on. */
  observedGeneration?: Int64 & OmitZero & Gated<"PodObservedGenerationTracking">;
  /** Where it is in its life, in one word. */
  phase?: PodPhase & OmitZero;
  /** Findings about scheduling and readiness. */
  conditions?: ListMap<PodCondition, "type"> & PatchMerge<"type">;
  /** Why it is in this state, for people. */
  message?: string & OmitZero;
  /** Why it is in this state, as a word. */
  reason?: string & OmitZero;
  /** Node where room is being made for it. */
  nominatedNodeName?: string & OmitZero;
  /** Address of its node. */
  hostIP?: string & OmitZero;
  /** Addresses of its node. */
  hostIPs?: ListAtomic<HostIP> & PatchMerge<"ip">;
  /** Its address. */
  podIP?: string & OmitZero;
  /** Its addresses, at most one per family. */
  podIPs?: ListMap<PodIP, "ip"> & PatchMerge<"ip">;
  /** When the kubelet took it on. */
  startTime?: Time;
  /** What is known of its init containers. */
  initContainerStatuses?: ListAtomic<ContainerStatus>;
  /** What is known of its containers. */
  containerStatuses?: ListAtomic<ContainerStatus>;
  /** How well its resources are guaranteed. */
  qosClass?: PodQOSClass & OmitZero;
  /** What is known of its ephemeral containers. */
  ephemeralContainerStatuses?: ListAtomic<ContainerStatus>;
  /** How a change of resources is going. */
  resize?: PodResizeStatus & OmitZero & Gated<"InPlacePodVerticalScaling"> & Deprecated;
  /** Claims made for it. */
  resourceClaimStatuses?: ListMap<PodResourceClaimStatus, "name"> &
    PatchMerge<"name"> &
    PatchRetainKeys &
    Gated<"DynamicResourceAllocation">;
}

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";

export type PodQOSClass = "Guaranteed" | "Burstable" | "BestEffort";

export type PodResizeStatus = Open<"InProgress" | "Deferred" | "Infeasible">;

/** One finding about a pod. */
export interface PodCondition {
  /** What the finding is about. */
  type: PodConditionType;
  /** Generation of the object that was looked at. */
  observedGeneration?: Int64 & OmitZero & Gated<"PodObservedGenerationTracking">;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** When it was last looked at. */
  lastProbeTime?: Time & Always;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
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

/** An address of the node. */
export interface HostIP {
  /** The address. */
  ip: string;
}

/** An address of a pod. */
export interface PodIP {
  /** The address. */
  ip: string;
}

/** The claim made for an entry of `resourceClaims`. */
export interface PodResourceClaimStatus {
  /** Name of the entry. */
  name: string;
  /** Name of the claim. */
  resourceClaimName?: string;
}
