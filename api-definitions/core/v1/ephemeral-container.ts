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

/** A container added to a running pod to look at it. */
export interface EphemeralContainer extends EphemeralContainerCommon {
  /** Container whose processes it should see. */
  targetContainerName?: string & OmitZero;
}

/** What an ephemeral container shares with an ordinary one. */
export interface EphemeralContainerCommon {
  /** Name of the container, unique among all containers of the pod. */
  name: string;
  /** The image to run. */
  image?: string & OmitZero;
  /** The program and first arguments, in place of the image's entrypoint. */
  command?: ListAtomic<string>;
  /** Arguments of the program, in place of the image's. */
  args?: ListAtomic<string>;
  /** Directory the program starts in. */
  workingDir?: string & OmitZero;
  /** Not allowed here. */
  ports?: ListMap<ContainerPort, "containerPort", "protocol"> & PatchMerge<"containerPort">;
  /** ConfigMaps and Secrets whose entries become environment variables. */
  envFrom?: ListAtomic<EnvFromSource>;
  /** Environment variables. */
  env?: ListMap<EnvVar, "name"> & PatchMerge<"name">;
  /** Not allowed here: it uses what the pod has left. */
  resources?: ResourceRequirements & Always;
  /** What happens to the container when its resources change while it runs. */
  resizePolicy?: ListAtomic<ContainerResizePolicy> & Gated<"InPlacePodVerticalScaling">;
  /** Not allowed here. */
  restartPolicy?: ContainerRestartPolicy & Gated<"SidecarContainers">;
  /** Volumes of the pod and where they appear in the file system. */
  volumeMounts?: ListMap<VolumeMount, "mountPath"> & PatchMerge<"mountPath">;
  /** Raw block devices and where they appear. */
  volumeDevices?: ListMap<VolumeDevice, "devicePath"> & PatchMerge<"devicePath">;
  /** Not allowed here. */
  livenessProbe?: Probe;
  /** Not allowed here. */
  readinessProbe?: Probe;
  /** Not allowed here. */
  startupProbe?: Probe;
  /** Not allowed here. */
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
