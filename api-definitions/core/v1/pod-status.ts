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
  Since,
  Time,
} from "../../vocabulary.ts";
import type { ConditionStatus } from "./conditions.ts";
import type { ContainerStatus } from "./container-status.ts";

/**
 * Observed state of a pod: phase, conditions, addresses and the state of each container. May lag behind reality,
 * especially while the node cannot reach the server.
 */
export interface PodStatus {
  /** `metadata.generation` of the pod that this status is based on, set by the component that wrote the status. */
  observedGeneration?: Int64 & OmitZero & Gated<"PodObservedGenerationTracking">;
  /**
   * Summary of where the pod is in its lifecycle, set by the kubelet. See `conditions` and `containerStatuses` for
   * details. A new pod is `Pending`.
   */
  phase?: PodPhase & OmitZero;
  /** Conditions of the pod, such as `PodScheduled` and `Ready`, set by the scheduler, the kubelet and controllers. */
  conditions?: ListMap<PodCondition, "type"> & PatchMerge<"type">;
  /** Human-readable details of why the pod is in this state. */
  message?: string & OmitZero;
  /** Machine-readable reason of why the pod is in this state, in CamelCase, such as `Evicted`. */
  reason?: string & OmitZero;
  /**
   * Node on which the scheduler has preempted other pods to make room for this one, until they have ended. The pod may
   * still be scheduled to another node, and the room may go to a pod of higher priority. Set by the scheduler.
   */
  nominatedNodeName?: string & OmitZero & Since<"1.10">;
  /** Primary IP address of the node of the pod, set by the kubelet. Empty until the kubelet has reported it. */
  hostIP?: string & OmitZero;
  /**
   * IP addresses of the node of the pod, at most one for each IP family. The first equals `hostIP`. Set by the kubelet.
   */
  hostIPs?: ListAtomic<HostIP> & PatchMerge<"ip"> & Since<"1.28">;
  /**
   * Primary IP address of the pod, reachable from within the cluster. Set by the kubelet; empty until it is allocated.
   * Equals the first entry of `podIPs`.
   */
  podIP?: string & OmitZero;
  /**
   * IP addresses of the pod, at most one for each IP family. The first equals `podIP`; the server completes each from
   * the other.
   */
  podIPs?: ListMap<PodIP, "ip"> & PatchMerge<"ip"> & Since<"1.16">;
  /**
   * Time at which the kubelet accepted the pod, before it pulled any images. `activeDeadlineSeconds` counts from here.
   */
  startTime?: Time;
  /**
   * Observed state of each container in `spec.initContainers`, set by the kubelet. A container that has succeeded is
   * `ready`.
   */
  initContainerStatuses?: ListAtomic<ContainerStatus>;
  /** Observed state of each container in `spec.containers`, set by the kubelet. */
  containerStatuses?: ListAtomic<ContainerStatus>;
  /**
   * Quality of service class, which determines the order in which pods are evicted when a node runs out of resources.
   * Computed by the server from requests and limits when the pod is created. Cannot be changed.
   */
  qosClass?: PodQOSClass & OmitZero;
  /** Observed state of each container in `spec.ephemeralContainers`, set by the kubelet. */
  ephemeralContainerStatuses?: ListAtomic<ContainerStatus> & Since<"1.16">;
  /** Progress of a change of the containers' resources. Empty if no resize is pending. Set by kubelets before v1.33. */
  resize?: PodResizeStatus &
    OmitZero &
    Deprecated<"use the conditions `PodResizePending` and `PodResizeInProgress` instead">;
  /**
   * Names of the ResourceClaims that were created for entries of `spec.resourceClaims` with a template. Set by the
   * resource claim controller.
   */
  resourceClaimStatuses?: ListMap<PodResourceClaimStatus, "name"> &
    PatchMerge<"name"> &
    PatchRetainKeys &
    Gated<"DynamicResourceAllocation">;
}

export type PodPhase =
  /** Accepted, but not all containers have started yet. Includes the time for scheduling and for pulling images. */
  | "Pending"
  /** Assigned to a node with all init containers done; at least one container runs, starts or restarts. */
  | "Running"
  /** All containers have exited with code 0 and are not restarted. */
  | "Succeeded"
  /**
   * All containers have ended, at least one of them with a failure, and are not restarted; or the pod was evicted or
   * rejected.
   */
  | "Failed"
  /** State could not be obtained from the node. No longer set. */
  | "Unknown";

export type PodQOSClass =
  /** Every container has CPU and memory limits that equal its requests. Evicted last. */
  | "Guaranteed"
  /** At least one container has a CPU or memory request or limit, but the pod is not `Guaranteed`. */
  | "Burstable"
  /** No container has CPU or memory requests or limits. Evicted first. */
  | "BestEffort";

export type PodResizeStatus = Open<
  /** The kubelet has accepted the new resources and is applying them. */
  | "InProgress"
  /** The node has no room now; the kubelet retries later. */
  | "Deferred"
  /** The node can never satisfy the new resources. */
  | "Infeasible"
>;

/** A condition of a pod: one aspect of its state, such as whether it is scheduled or ready. */
export interface PodCondition {
  /**
   * Type of the condition, such as `Ready`. Types other than `PodScheduled`, `Ready` and `Initialized` must be
   * qualified names.
   */
  type: PodConditionType;
  /** `metadata.generation` of the pod that this condition is based on. */
  observedGeneration?: Int64 & OmitZero & Gated<"PodObservedGenerationTracking">;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Time at which the condition was last checked. Usually `null`. */
  lastProbeTime?: Time & Always;
  /** Time at which `status` last changed. */
  lastTransitionTime?: Time & Always;
  /** Machine-readable reason of the last transition, in CamelCase. */
  reason?: string & OmitZero;
  /** Human-readable details of the last transition. */
  message?: string & OmitZero;
}

export type PodConditionType = Open<
  /** All containers of the pod are ready. */
  | "ContainersReady"
  /** All init containers have succeeded, and sidecars have started. */
  | "Initialized"
  /** All containers are ready and all readiness gates are `True`; Services send traffic to the pod. */
  | "Ready"
  /** The pod is assigned to a node. */
  | "PodScheduled"
  /** The pod is about to be deleted because of a disruption, such as preemption, eviction or a taint. */
  | "DisruptionTarget"
  /** Sandbox and network of the pod are set up, so that containers can start. */
  | "PodReadyToStartContainers"
  /** A requested resize has not been accepted by the kubelet yet; `reason` is `Deferred` or `Infeasible`. */
  | "PodResizePending"
  /** The kubelet has accepted a resize and is applying it. */
  | "PodResizeInProgress"
>;

/** An IP address of the node of a pod. */
export interface HostIP {
  /** IPv4 or IPv6 address of the node. */
  ip: string;
}

/** An IP address of a pod. */
export interface PodIP {
  /** IPv4 or IPv6 address of the pod. */
  ip: string;
}

/** The ResourceClaim that was created for an entry of `spec.resourceClaims`. */
export interface PodResourceClaimStatus {
  /** Name of the entry in `spec.resourceClaims`. */
  name: string;
  /** Name of the created ResourceClaim, in the namespace of the pod. Unset if no claim was needed. */
  resourceClaimName?: string;
}
