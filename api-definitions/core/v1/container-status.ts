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
  Time,
} from "../../vocabulary.ts";
import type { RecursiveReadOnlyMode } from "./container.ts";
import type { ResourceList, ResourceName, ResourceRequirements } from "./resources.ts";

export interface ContainerStatus {
  name: string;
  state?: ContainerState & Always;
  lastState?: ContainerState & Always;
  ready: boolean;
  restartCount: Int32;
  image: string;
  imageID: string;
  containerID?: string & OmitZero;
  started?: boolean;
  allocatedResources?: ResourceList & Gated<"InPlacePodVerticalScalingAllocatedStatus">;
  resources?: ResourceRequirements & Gated<"InPlacePodVerticalScaling">;
  volumeMounts?: ListMap<VolumeMountStatus, "mountPath"> & PatchMerge<"mountPath"> & Gated<"RecursiveReadOnlyMounts">;
  user?: ContainerUser & Gated<"SupplementalGroupsPolicy">;
  allocatedResourcesStatus?: ListMap<ResourceStatus, "name"> & PatchMerge<"name"> & Gated<"ResourceHealthStatus">;
  stopSignal?: Signal & Gated<"ContainerStopSignals">;
}

export type Signal =
  | "SIGABRT"
  | "SIGALRM"
  | "SIGBUS"
  | "SIGCHLD"
  | "SIGCLD"
  | "SIGCONT"
  | "SIGFPE"
  | "SIGHUP"
  | "SIGILL"
  | "SIGINT"
  | "SIGIO"
  | "SIGIOT"
  | "SIGKILL"
  | "SIGPIPE"
  | "SIGPOLL"
  | "SIGPROF"
  | "SIGPWR"
  | "SIGQUIT"
  | "SIGSEGV"
  | "SIGSTKFLT"
  | "SIGSTOP"
  | "SIGSYS"
  | "SIGTERM"
  | "SIGTRAP"
  | "SIGTSTP"
  | "SIGTTIN"
  | "SIGTTOU"
  | "SIGURG"
  | "SIGUSR1"
  | "SIGUSR2"
  | "SIGVTALRM"
  | "SIGWINCH"
  | "SIGXCPU"
  | "SIGXFSZ"
  | "SIGRTMIN"
  | "SIGRTMIN+1"
  | "SIGRTMIN+2"
  | "SIGRTMIN+3"
  | "SIGRTMIN+4"
  | "SIGRTMIN+5"
  | "SIGRTMIN+6"
  | "SIGRTMIN+7"
  | "SIGRTMIN+8"
  | "SIGRTMIN+9"
  | "SIGRTMIN+10"
  | "SIGRTMIN+11"
  | "SIGRTMIN+12"
  | "SIGRTMIN+13"
  | "SIGRTMIN+14"
  | "SIGRTMIN+15"
  | "SIGRTMAX-14"
  | "SIGRTMAX-13"
  | "SIGRTMAX-12"
  | "SIGRTMAX-11"
  | "SIGRTMAX-10"
  | "SIGRTMAX-9"
  | "SIGRTMAX-8"
  | "SIGRTMAX-7"
  | "SIGRTMAX-6"
  | "SIGRTMAX-5"
  | "SIGRTMAX-4"
  | "SIGRTMAX-3"
  | "SIGRTMAX-2"
  | "SIGRTMAX-1"
  | "SIGRTMAX";

export interface ContainerState {
  waiting?: ContainerStateWaiting;
  running?: ContainerStateRunning;
  terminated?: ContainerStateTerminated;
}

export interface ContainerStateWaiting {
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export interface ContainerStateRunning {
  startedAt?: Time & Always;
}

export interface ContainerStateTerminated {
  exitCode: Int32;
  signal?: Int32 & OmitZero;
  reason?: string & OmitZero;
  message?: string & OmitZero;
  startedAt?: Time & Always;
  finishedAt?: Time & Always;
  containerID?: string & OmitZero;
}

export interface VolumeMountStatus {
  name: string;
  mountPath: string;
  readOnly?: boolean & OmitZero;
  recursiveReadOnly?: RecursiveReadOnlyMode & Gated<"RecursiveReadOnlyMounts">;
}

export interface ContainerUser {
  linux?: LinuxContainerUser;
}

export interface LinuxContainerUser {
  uid: Int64;
  gid: Int64;
  supplementalGroups?: ListAtomic<Int64>;
}

export interface ResourceStatus {
  name: ResourceName;
  resources?: ListMap<ResourceHealth, "resourceID">;
}

export interface ResourceHealth {
  resourceID: string;
  health?: ResourceHealthStatus & OmitZero;
}

export type ResourceHealthStatus = Open<"Healthy" | "Unhealthy" | "Unknown">;
