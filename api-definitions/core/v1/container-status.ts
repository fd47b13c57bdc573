import type {
  Always,
  Gated,
  Int32,
  Int64,
  ListAtomic,
  ListMap,
  OmitZero,
  Open,
  PatchMerge,
  Since,
  Time,
} from "../../vocabulary.ts";
import type { RecursiveReadOnlyMode } from "./container.ts";
import type { Signal } from "./probes.ts";
import type { ResourceList, ResourceName, ResourceRequirements } from "./resources.ts";

/** Observed state of a container, set by the kubelet. */
export interface ContainerStatus {
  /** Name of the container, as in the spec of the pod. */
  name: string;
  /** Current state of the container. Empty counts as waiting. */
  state?: ContainerState & Always;
  /** State at the end of the previous run of the container. Empty if it has never been restarted. */
  lastState?: ContainerState & Always;
  /**
   * Whether the container is ready: its readiness probe succeeds or, without one, it is running. For init containers
   * other than sidecars: whether it has succeeded.
   */
  ready: boolean;
  /**
   * Number of times the container was restarted. May be too low, since it is derived from the ended containers that the
   * node still has.
   */
  restartCount: Int32;
  /**
   * Name of the image that the container runs. The runtime may report another name for the same image than the spec
   * has.
   */
  image: string;
  /** Identifier of the image that the container runs, usually with its digest. */
  imageID: string;
  /** Identifier of the container in the runtime, such as `containerd://<id>`. */
  containerID?: string & OmitZero;
  /**
   * Whether the container runs, its `postStart` hook has finished and its startup probe has succeeded. `false` again
   * after a restart.
   */
  started?: boolean & Since<"1.16">;
  /**
   * Resource requests that the node has reserved for the container, set when the kubelet admits the pod and after each
   * accepted resize.
   */
  allocatedResources?: ResourceList & Since<"1.27"> & Gated<"InPlacePodVerticalScaling">;
  /**
   * Resource requests and limits that are in effect for the running container. They differ from the spec while a resize
   * is in progress.
   */
  resources?: ResourceRequirements & Gated<"InPlacePodVerticalScaling">;
  /** Volumes that are mounted into the container, and how. */
  volumeMounts?: ListMap<VolumeMountStatus, "mountPath"> & PatchMerge<"mountPath"> & Gated<"RecursiveReadOnlyMounts">;
  /** User and groups that the first process of the container started with. */
  user?: ContainerUser & Gated<"SupplementalGroupsPolicy">;
  /** Health of the devices that are allocated to the container. */
  allocatedResourcesStatus?: ListMap<ResourceStatus, "name"> & PatchMerge<"name"> & Gated<"ResourceHealthStatus">;
  /**
   * Signal that the runtime sends to stop the container: that of `lifecycle`, otherwise that of the image or the
   * runtime's default.
   */
  stopSignal?: Signal & Since<"1.33">;
}

/** State of a container. At most one field is set; if none is, the container is waiting. */
export interface ContainerState {
  /** Details of a container that is not running yet, because it pulls its image or waits for a restart, for example. */
  waiting?: ContainerStateWaiting;
  /** Details of a container that is running. */
  running?: ContainerStateRunning;
  /** Details of a container that has ended. */
  terminated?: ContainerStateTerminated;
}

/** A container that is not running yet. */
export interface ContainerStateWaiting {
  /**
   * Machine-readable reason why the container waits, in CamelCase, such as `ImagePullBackOff` or `CrashLoopBackOff`.
   */
  reason?: string & OmitZero;
  /** Human-readable details of why the container waits. */
  message?: string & OmitZero;
}

/** A container that is running. */
export interface ContainerStateRunning {
  /** Time at which the container was last started. */
  startedAt?: Time & Always;
}

/** A container that has ended, successfully or not. */
export interface ContainerStateTerminated {
  /** Exit code of the container; 0 means success. */
  exitCode: Int32;
  /** Number of the signal that ended the container, if there was one. */
  signal?: Int32 & OmitZero;
  /** Machine-readable reason of the end, in CamelCase, such as `Completed`, `Error` or `OOMKilled`. */
  reason?: string & OmitZero;
  /**
   * Termination message of the container; see `terminationMessagePath` and `terminationMessagePolicy` of the container.
   */
  message?: string & OmitZero;
  /** Time at which this run of the container started. */
  startedAt?: Time & Always;
  /** Time at which this run of the container ended. */
  finishedAt?: Time & Always;
  /** Identifier of the ended container in the runtime, such as `containerd://<id>`. */
  containerID?: string & OmitZero;
}

/** A volume mount of a running container, as the runtime applied it. */
export interface VolumeMountStatus {
  /** Name of the volume, as in `volumeMounts` of the container. */
  name: string;
  /** Path in the container at which the volume is mounted. */
  mountPath: string;
  /** Whether the volume is mounted read-only. */
  readOnly?: boolean & OmitZero;
  /** Whether mounts below are read-only as well: `Disabled` or `Enabled`, after `IfPossible` has been resolved. */
  recursiveReadOnly?: RecursiveReadOnlyMode & Gated<"RecursiveReadOnlyMounts">;
}

/** User that a container runs as, for each operating system. */
export interface ContainerUser {
  /** User and groups of the first process, for Linux containers. Unset for Windows. */
  linux?: LinuxContainerUser;
}

/**
 * Linux user and groups of the first process of a container. The process can change them later if it has the
 * privileges.
 */
export interface LinuxContainerUser {
  /** User id of the first process. */
  uid: Int64;
  /** Primary group id of the first process. */
  gid: Int64;
  /** Ids of further groups of the first process. */
  supplementalGroups?: ListAtomic<Int64>;
}

/** Health of the devices of one resource that are allocated to a container. */
export interface ResourceStatus {
  /**
   * Name of the resource, such as `example.com/gpu`, or `claim:<claim>` or `claim:<claim>/<request>` for a claim in
   * `resources.claims`. Must be requested by the container.
   */
  name: ResourceName;
  /** Health of each allocated device. */
  resources?: ListMap<ResourceHealth, "resourceID">;
}

/** Health of one device. */
export interface ResourceHealth {
  /** Identifier of the device, unique for its resource. Its form depends on the device plugin or driver. */
  resourceID: string;
  /** Health that the device plugin or driver last reported. */
  health?: ResourceHealthStatus & OmitZero;
}

export type ResourceHealthStatus = Open<
  /** The device works as expected. */
  | "Healthy"
  /** The device does not work. It may recover, or stay so for good. */
  | "Unhealthy"
  /** Health is not reported, or the report is outdated. */
  | "Unknown"
>;
