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

export interface Container {
  name: string;
  image?: string & OmitZero;
  command?: ListAtomic<string>;
  args?: ListAtomic<string>;
  workingDir?: string & OmitZero;
  ports?: ListMap<ContainerPort, "containerPort", "protocol"> & PatchMerge<"containerPort">;
  envFrom?: ListAtomic<EnvFromSource>;
  env?: ListMap<EnvVar, "name"> & PatchMerge<"name">;
  resources?: ResourceRequirements & Always;
  resizePolicy?: ListAtomic<ContainerResizePolicy> & Gated<"InPlacePodVerticalScaling">;
  restartPolicy?: ContainerRestartPolicy & Gated<"SidecarContainers">;
  volumeMounts?: ListMap<VolumeMount, "mountPath"> & PatchMerge<"mountPath">;
  volumeDevices?: ListMap<VolumeDevice, "devicePath"> & PatchMerge<"devicePath">;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string & OmitZero & Default<"/dev/termination-log">;
  terminationMessagePolicy?: TerminationMessagePolicy & OmitZero & Default<"File">;
  imagePullPolicy?: PullPolicy & OmitZero;
  securityContext?: SecurityContext;
  stdin?: boolean & OmitZero;
  stdinOnce?: boolean & OmitZero;
  tty?: boolean & OmitZero;
}

export type ContainerRestartPolicy = Open<"Always">;

export type TerminationMessagePolicy = "File" | "FallbackToLogsOnError";

export type PullPolicy = "Always" | "Never" | "IfNotPresent";

export interface ContainerPort {
  name?: string & OmitZero;
  hostPort?: Int32 & OmitZero;
  containerPort: Int32;
  protocol?: Protocol & OmitZero & Default<"TCP"> & Published;
  hostIP?: string & OmitZero;
}

export type Protocol = "TCP" | "UDP" | "SCTP";

export interface ContainerResizePolicy {
  resourceName: ResourceName;
  restartPolicy: ResourceResizeRestartPolicy;
}

export type ResourceResizeRestartPolicy = Open<"NotRequired" | "RestartContainer">;

export interface VolumeMount {
  name: string;
  readOnly?: boolean & OmitZero;
  recursiveReadOnly?: RecursiveReadOnlyMode & Gated<"RecursiveReadOnlyMounts">;
  mountPath: string;
  subPath?: string & OmitZero;
  mountPropagation?: MountPropagationMode;
  subPathExpr?: string & OmitZero;
}

export type RecursiveReadOnlyMode = Open<"Disabled" | "IfPossible" | "Enabled">;

export type MountPropagationMode = "None" | "HostToContainer" | "Bidirectional";

export interface VolumeDevice {
  name: string;
  devicePath: string;
}
