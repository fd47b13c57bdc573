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

/**
 * A container that is added to a running pod for debugging. It has no resource guarantees, is never restarted, and
 * cannot be removed or changed. Add it through the subresource `ephemeralcontainers` of the pod, such as with `kubectl
 * debug`.
 */
export interface EphemeralContainer extends EphemeralContainerCommon {
  /**
   * Name of a container of the pod whose process namespace the ephemeral container joins, so that it sees its
   * processes. Must exist in the pod, and the runtime must support it. If unset, the namespaces of the pod are used.
   */
  targetContainerName?: string & OmitZero;
}

/**
 * Fields of an ephemeral container that containers have as well. Some of them exist only for compatibility and are
 * rejected.
 */
export interface EphemeralContainerCommon {
  /** Name of the ephemeral container. Must be a DNS label, unique among all containers of the pod. */
  name: string;
  /** Image to run, such as `busybox:1.36`. Required. */
  image?: string & OmitZero;
  /**
   * Program to run and its first arguments, without a shell. Replaces the entrypoint of the image, which is used if
   * this is unset. References `$(NAME)` to environment variables are expanded; `$$(NAME)` is an escaped `$(NAME)`.
   */
  command?: ListAtomic<string>;
  /**
   * Arguments of the entrypoint. Replaces the arguments in the image (`CMD`). References `$(NAME)` to environment
   * variables are expanded.
   */
  args?: ListAtomic<string>;
  /** Directory in which the program starts. If unset, that of the image or the runtime's default is used. */
  workingDir?: string & OmitZero;
  /** Not allowed for ephemeral containers. */
  ports?: ListMap<ContainerPort, "containerPort", "protocol"> & PatchMerge<"containerPort">;
  /**
   * ConfigMaps and Secrets of which every key becomes an environment variable. If a key occurs in several sources, the
   * last one wins; `env` overrides all of them.
   */
  envFrom?: ListAtomic<EnvFromSource>;
  /** Environment variables of the container. They override variables of the same name in `envFrom` and in the image. */
  env?: ListMap<EnvVar, "name"> & PatchMerge<"name">;
  /** Not allowed for ephemeral containers: they use spare resources of the pod. */
  resources?: ResourceRequirements & Always;
  /** Not allowed for ephemeral containers. */
  resizePolicy?: ListAtomic<ContainerResizePolicy> & Gated<"InPlacePodVerticalScaling">;
  /** Not allowed for ephemeral containers, which are never restarted. */
  restartPolicy?: ContainerRestartPolicy & Gated<"SidecarContainers">;
  /**
   * Volumes of the pod that are mounted into the file system of the container. `subPath` and `subPathExpr` are not
   * allowed.
   */
  volumeMounts?: ListMap<VolumeMount, "mountPath"> & PatchMerge<"mountPath">;
  /** Volumes of the pod that the container uses as raw block devices. */
  volumeDevices?: ListMap<VolumeDevice, "devicePath"> & PatchMerge<"devicePath">;
  /** Not allowed for ephemeral containers. */
  livenessProbe?: Probe;
  /** Not allowed for ephemeral containers. */
  readinessProbe?: Probe;
  /** Not allowed for ephemeral containers. */
  startupProbe?: Probe;
  /** Not allowed for ephemeral containers. */
  lifecycle?: Lifecycle;
  /**
   * File in the container from which the kubelet reads a message when the container has ended. At most 4096 bytes are
   * read, and 12 KiB for all containers of the pod.
   */
  terminationMessagePath?: string & OmitZero & Default<"/dev/termination-log">;
  /** Source of the termination message, which appears in `state.terminated.message`. */
  terminationMessagePolicy?: TerminationMessagePolicy & OmitZero & Default<"File">;
  /**
   * When the kubelet pulls the image. Defaults to `Always` if the image has the tag `latest`, or neither tag nor
   * digest, otherwise to `IfNotPresent`.
   */
  imagePullPolicy?: PullPolicy & OmitZero;
  /** Security settings of the container. They override fields of the same name in `securityContext` of the pod. */
  securityContext?: SecurityContext;
  /**
   * Allocates a buffer for standard input, for `kubectl attach`. If `false`, reads from standard input get end of file
   * at once.
   */
  stdin?: boolean & OmitZero;
  /**
   * Closes standard input after the first client that attached to it disconnects. If `false`, it stays open for further
   * clients. Has an effect only if `stdin` is `true`.
   */
  stdinOnce?: boolean & OmitZero;
  /** Allocates a terminal for the container. Useful only together with `stdin`. */
  tty?: boolean & OmitZero;
}
