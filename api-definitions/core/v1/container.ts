import type {
  Always,
  Default,
  Gated,
  Int32,
  ListAtomic,
  ListMap,
  OmitZero,
  Open,
  PatchMerge,
  Published,
} from "../../vocabulary.ts";
import type { EnvFromSource, EnvVar } from "./environment.ts";
import type { Lifecycle, Probe } from "./probes.ts";
import type { ResourceName, ResourceRequirements } from "./resources.ts";
import type { SecurityContext } from "./security.ts";

/** One program in a pod: its image, how it is started, and what it may use. */
export interface Container {
  /** Name of the container, unique in the pod and fixed for good. */
  name: string;
  /** The image to run. */
  image?: string & OmitZero;
  /** The program and first arguments, in place of the image's entrypoint. */
  command?: ListAtomic<string>;
  /** Arguments of the program, in place of the image's. */
  args?: ListAtomic<string>;
  /** Directory the program starts in. */
  workingDir?: string & OmitZero;
  /** Ports the program listens on; others can still be reached. */
  ports?: ListMap<ContainerPort, "containerPort", "protocol"> & PatchMerge<"containerPort">;
  /** ConfigMaps and Secrets whose entries become environment variables. */
  envFrom?: ListAtomic<EnvFromSource>;
  /** Environment variables. */
  env?: ListMap<EnvVar, "name"> & PatchMerge<"name">;
  /** What the container needs and how much it may use at most. */
  resources?: ResourceRequirements & Always;
  /** What happens to the container when its resources change while it runs. */
  resizePolicy?: ListAtomic<ContainerResizePolicy> & Gated<"InPlacePodVerticalScaling">;
  /** `Always` on an init container keeps it running beside the others, as a sidecar. */
  restartPolicy?: ContainerRestartPolicy & Gated<"SidecarContainers">;
  /** Volumes of the pod and where they appear in the file system. */
  volumeMounts?: ListMap<VolumeMount, "mountPath"> & PatchMerge<"mountPath">;
  /** Raw block devices and where they appear. */
  volumeDevices?: ListMap<VolumeDevice, "devicePath"> & PatchMerge<"devicePath">;
  /** A check whose failure restarts the container. */
  livenessProbe?: Probe;
  /** A check whose failure takes the pod out of its services. */
  readinessProbe?: Probe;
  /** A check that holds back the other probes until it first succeeds. */
  startupProbe?: Probe;
  /** What to do right after the start and right before the stop. */
  lifecycle?: Lifecycle;
  /** File in which the program may leave its last words. */
  terminationMessagePath?: string & OmitZero & Default<"/dev/termination-log">;
  /** Where the last words come from: that file, or the end of the log after an error. */
  terminationMessagePolicy?: TerminationMessagePolicy & OmitZero & Default<"File">;
  /** When the image is fetched anew. */
  imagePullPolicy?: PullPolicy & OmitZero;
  /** Privileges and restrictions of the container. */
  securityContext?: SecurityContext;
  /** Keeps standard input open. */
  stdin?: boolean & OmitZero;
  /** Closes standard input after the first client leaves. */
  stdinOnce?: boolean & OmitZero;
  /** Gives the container a terminal. */
  tty?: boolean & OmitZero;
}

export type ContainerRestartPolicy = Open<"Always">;

export type TerminationMessagePolicy = "File" | "FallbackToLogsOnError";

export type PullPolicy = "Always" | "Never" | "IfNotPresent";

/** A port the program listens on. */
export interface ContainerPort {
  /** Name for the port that services may use, unique in the pod. */
  name?: string & OmitZero;
  /** Port of the node that leads to this one. */
  hostPort?: Int32 & OmitZero;
  /** The port in the container. */
  containerPort: Int32;
  /** Protocol spoken on the port. */
  protocol?: Protocol & OmitZero & Default<"TCP"> & Published;
  /** Address of the node to bind the host port to. */
  hostIP?: string & OmitZero;
}

export type Protocol = "TCP" | "UDP" | "SCTP";

/** What a change of one resource means to a running container. */
export interface ContainerResizePolicy {
  /** The resource: `cpu` or `memory`. */
  resourceName: ResourceName;
  /** Whether the container must be restarted. */
  restartPolicy: ResourceResizeRestartPolicy;
}

export type ResourceResizeRestartPolicy = Open<"NotRequired" | "RestartContainer">;

/** A volume in the file system of a container. */
export interface VolumeMount {
  /** Name of the volume. */
  name: string;
  /** Mounts it read-only. */
  readOnly?: boolean & OmitZero;
  /** Whether mounts below it are read-only too. */
  recursiveReadOnly?: RecursiveReadOnlyMode & Gated<"RecursiveReadOnlyMounts">;
  /** Where it appears. */
  mountPath: string;
  /** Only this path of the volume. */
  subPath?: string & OmitZero;
  /** Whether mounts made later are passed on between node and container. */
  mountPropagation?: MountPropagationMode;
  /** Like `subPath`, with `$(NAME)` filled in from the environment. */
  subPathExpr?: string & OmitZero;
}

export type RecursiveReadOnlyMode = Open<"Disabled" | "IfPossible" | "Enabled">;

export type MountPropagationMode = "None" | "HostToContainer" | "Bidirectional";

/** A raw block device in a container. */
export interface VolumeDevice {
  /** Name of the claim's volume in the pod. */
  name: string;
  /** Path of the device in the container. */
  devicePath: string;
}
