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

/** What is known of one container. */
export interface ContainerStatus {
  /** Name of the container. */
  name: string;
  /** What it is doing now. */
  state?: ContainerState & Always;
  /** How its previous run ended. */
  lastState?: ContainerState & Always;
  /** Whether its readiness probe succeeds. */
  ready: boolean;
  /** How often it was restarted. */
  restartCount: Int32;
  /** The image it runs. */
  image: string;
  /** The exact image, by digest. */
  imageID: string;
  /** Which container it is, as `<runtime>://<id>`. */
  containerID?: string & OmitZero;
  /** Whether it got past its startup probe. */
  started?: boolean;
  /** Resources the node has set aside for it. */
  allocatedResources?: ResourceList;
  /** Resources in force right now. */
  resources?: ResourceRequirements & Gated<"InPlacePodVerticalScaling">;
  /** How its volumes are mounted in fact. */
  volumeMounts?: ListMap<VolumeMountStatus, "mountPath"> & PatchMerge<"mountPath"> & Gated<"RecursiveReadOnlyMounts">;
  /** The user its first process runs as. */
  user?: ContainerUser & Gated<"SupplementalGroupsPolicy">;
  /** Health of devices given to it. */
  allocatedResourcesStatus?: ListMap<ResourceStatus, "name"> & PatchMerge<"name"> & Gated<"ResourceHealthStatus">;
  /** The signal that will be sent to stop it. */
  stopSignal?: Signal;
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

/** What a container is doing; one of the three. */
export interface ContainerState {
  /** It has not started yet. */
  waiting?: ContainerStateWaiting;
  /** It is running. */
  running?: ContainerStateRunning;
  /** It has ended. */
  terminated?: ContainerStateTerminated;
}

/** A container that has not started yet. */
export interface ContainerStateWaiting {
  /** A word for what it waits for. */
  reason?: string & OmitZero;
  /** What it waits for, for people. */
  message?: string & OmitZero;
}

/** A container that is running. */
export interface ContainerStateRunning {
  /** When it started. */
  startedAt?: Time & Always;
}

/** A container that has ended. */
export interface ContainerStateTerminated {
  /** Exit code of the program. */
  exitCode: Int32;
  /** Signal that ended it. */
  signal?: Int32 & OmitZero;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The container's last words. */
  message?: string & OmitZero;
  /** When it started. */
  startedAt?: Time & Always;
  /** When it ended. */
  finishedAt?: Time & Always;
  /** Which container it was, as `<runtime>://<id>`. */
  containerID?: string & OmitZero;
}

/** How a volume is mounted in fact. */
export interface VolumeMountStatus {
  /** Name of the volume. */
  name: string;
  /** Where it appears. */
  mountPath: string;
  /** Whether it is read-only. */
  readOnly?: boolean & OmitZero;
  /** Whether mounts below it are read-only too. */
  recursiveReadOnly?: RecursiveReadOnlyMode & Gated<"RecursiveReadOnlyMounts">;
}

/** The user a container runs as. */
export interface ContainerUser {
  /** On Linux. */
  linux?: LinuxContainerUser;
}

/** The Linux user a container's first process runs as. */
export interface LinuxContainerUser {
  /** User id. */
  uid: Int64;
  /** Primary group id. */
  gid: Int64;
  /** Further group ids. */
  supplementalGroups?: ListAtomic<Int64>;
}

/** Health of devices of one sort. */
export interface ResourceStatus {
  /** The sort, by resource name or claim. */
  name: ResourceName;
  /** The devices. */
  resources?: ListMap<ResourceHealth, "resourceID">;
}

/** Health of a device. */
export interface ResourceHealth {
  /** The device. */
  resourceID: string;
  /** Whether it is well. */
  health?: ResourceHealthStatus & OmitZero;
}

export type ResourceHealthStatus = Open<"Healthy" | "Unhealthy" | "Unknown">;
