import type { Always, Default, Gated, ListAtomic, ListMap, OmitZero, PatchMerge } from "../../vocabulary.ts";
import type {
  ContainerPort,
  ContainerResizePolicy,
  ContainerRestartPolicy,
  PullPolicy,
  TerminationMessagePolicy,
  VolumeDevice,
  VolumeMount,
} from "./container.ts";
import type { EnvFromSource, EnvVar } from "./environment.ts";
import type { Lifecycle, Probe } from "./probes.ts";
import type { ResourceRequirements } from "./resources.ts";
import type { SecurityContext } from "./security.ts";

export interface EphemeralContainer extends EphemeralContainerCommon {
  targetContainerName?: string & OmitZero;
}

export interface EphemeralContainerCommon {
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
