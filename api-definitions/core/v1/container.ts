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
  Since,
} from "../../vocabulary.ts";
import type { EnvFromSource, EnvVar } from "./environment.ts";
import type { Lifecycle, Probe } from "./probes.ts";
import type { ResourceName, ResourceRequirements } from "./resources.ts";
import type { SecurityContext } from "./security.ts";

/**
 * A container of a pod: the image it runs, its command and environment, and the resources, volumes and privileges it
 * gets.
 */
export interface Container {
  /**
   * Name of the container. Must be a DNS label, unique among all containers of the pod, including init and ephemeral
   * containers. Cannot be changed after creation.
   */
  name: string;
  /**
   * Image to run, such as `registry.example.com/team/app:1.2` or with a digest. Required. Can be changed in a running
   * pod: the container is then restarted with the new image.
   */
  image?: string & OmitZero;
  /**
   * Program to run and its first arguments, without a shell. Replaces the entrypoint of the image, which is used if
   * this is unset. References `$(NAME)` to environment variables of the container are expanded; `$$(NAME)` is an
   * escaped `$(NAME)`; references to unknown variables stay as they are.
   */
  command?: ListAtomic<string>;
  /**
   * Arguments of the entrypoint. Replaces the arguments in the image (`CMD`); those are used if both this and `command`
   * are unset. References `$(NAME)` to environment variables are expanded as in `command`.
   */
  args?: ListAtomic<string>;
  /** Directory in which the program starts. If unset, that of the image or the runtime's default is used. */
  workingDir?: string & OmitZero;
  /**
   * Ports on which the container listens. Mostly informational: a port that is missing here is still reachable if the
   * process listens on all interfaces. Needed for `hostPort`, and for names that Services and probes can refer to.
   */
  ports?: ListMap<ContainerPort, "containerPort", "protocol"> & PatchMerge<"containerPort">;
  /**
   * ConfigMaps and Secrets of which every key becomes an environment variable. If a key occurs in several sources, the
   * last one wins; `env` overrides all of them.
   */
  envFrom?: ListAtomic<EnvFromSource>;
  /** Environment variables of the container. They override variables of the same name in `envFrom` and in the image. */
  env?: ListMap<EnvVar, "name"> & PatchMerge<"name">;
  /**
   * Compute resources that the container requests and may use at most. CPU and memory can be changed while the pod
   * runs, through the subresource `resize`; `resizePolicy` determines whether this restarts the container.
   */
  resources?: ResourceRequirements & Always;
  /**
   * For CPU and memory: whether the container must be restarted when the resource is resized. At most one entry for
   * each resource; without an entry the container is not restarted. All entries must be `NotRequired` if
   * `restartPolicy` of the pod is `Never`.
   */
  resizePolicy?: ListAtomic<ContainerResizePolicy> & Gated<"InPlacePodVerticalScaling">;
  /**
   * `Always` makes an init container a sidecar: it starts in order with the other init containers, keeps running beside
   * the main containers, is restarted whenever it exits, and is stopped after them. Other values are rejected, and it
   * must not be set for other than init containers.
   */
  restartPolicy?: ContainerRestartPolicy & Gated<"SidecarContainers">;
  /** Volumes of the pod that are mounted into the file system of the container. */
  volumeMounts?: ListMap<VolumeMount, "mountPath"> & PatchMerge<"mountPath">;
  /**
   * Volumes of the pod that the container uses as raw block devices. Only volumes with `persistentVolumeClaim` or
   * `ephemeral` as source can be used like this.
   */
  volumeDevices?: ListMap<VolumeDevice, "devicePath"> & PatchMerge<"devicePath"> & Since<"1.9">;
  /**
   * Periodic check whose repeated failure makes the kubelet kill the container, which is then restarted according to
   * `restartPolicy`. If unset, the container counts as alive while its process runs. Not allowed for init containers
   * other than sidecars.
   */
  livenessProbe?: Probe;
  /**
   * Periodic check of whether the container can serve requests. While it fails, the container is not ready, and
   * Services send no traffic to the pod. If unset, the container is ready as soon as it runs. Not allowed for init
   * containers other than sidecars.
   */
  readinessProbe?: Probe;
  /**
   * Check that must succeed once before the other probes run. If it fails `failureThreshold` times, the container is
   * killed as with `livenessProbe`. Use it for containers that need long to start. Not allowed for init containers
   * other than sidecars.
   */
  startupProbe?: Probe & Since<"1.16">;
  /**
   * Actions that the kubelet runs right after the container has started and before it is stopped. Not allowed for init
   * containers other than sidecars.
   */
  lifecycle?: Lifecycle;
  /**
   * File in the container from which the kubelet reads a message when the container has ended, such as the final error.
   * At most 4096 bytes are read, and 12 KiB for all containers of the pod. The message appears in
   * `state.terminated.message`.
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
   * Closes standard input after the first client that attached to it disconnects; it stays closed until the container
   * is restarted. If `false`, it stays open for further clients. Has an effect only if `stdin` is `true`.
   */
  stdinOnce?: boolean & OmitZero;
  /** Allocates a terminal for the container. Useful only together with `stdin`. */
  tty?: boolean & OmitZero;
}

export type ContainerRestartPolicy = Open<"Always">;

export type TerminationMessagePolicy =
  /** Contents of the file at `terminationMessagePath`. */
  | "File"
  /** The file or, if it is empty and the container failed, the end of the log: at most 80 lines or 2048 bytes. */
  | "FallbackToLogsOnError";

export type PullPolicy =
  /**
   * On every start the kubelet resolves the image at the registry; layers that the node already has are not downloaded
   * again. The container fails to start if the registry cannot be reached.
   */
  | "Always"
  /** The image is never pulled and must already be on the node. */
  | "Never"
  /** The image is pulled only if it is not on the node. */
  | "IfNotPresent";

/** A port on which a container listens. */
export interface ContainerPort {
  /**
   * Name of the port, by which Services, probes and NetworkPolicies can refer to it. At most 15 lower-case letters,
   * digits and hyphens, with at least one letter. Must be unique among the ports of the container.
   */
  name?: string & OmitZero;
  /**
   * Port of the node that is forwarded to this port, from 1 to 65535; only one pod of a node can use it. Must equal
   * `containerPort` if the pod uses `hostNetwork`. No port of the node is used if unset. Prefer a Service.
   */
  hostPort?: Int32 & OmitZero;
  /** Port in the pod on which the container listens, from 1 to 65535. */
  containerPort: Int32;
  /** Protocol of the port. */
  protocol?: Protocol & OmitZero & Default<"TCP"> & Published;
  /** IP address of the node on which `hostPort` is opened. All addresses of the node if unset. */
  hostIP?: string & OmitZero;
}

export type Protocol = "TCP" | "UDP" | "SCTP";

/** What happens to a running container when one of its resources is resized. */
export interface ContainerResizePolicy {
  /** Resource to which the policy applies: `cpu` or `memory`. Others are rejected. */
  resourceName: ResourceName;
  /** Whether the container is restarted to apply a resize of this resource. */
  restartPolicy: ResourceResizeRestartPolicy;
}

export type ResourceResizeRestartPolicy = Open<
  /** The resize is applied without a restart, if possible. The memory limit cannot be lowered then. */
  | "NotRequired"
  /** The container is restarted with the new resources. */
  | "RestartContainer"
>;

/** Mounts a volume of the pod into the file system of a container. */
export interface VolumeMount {
  /** Name of an entry in `volumes` of the pod. The same volume must not be in `volumeDevices` of the container. */
  name: string;
  /** Mounts the volume read-only. Mounts below it can still be writable, unless `recursiveReadOnly` prevents it. */
  readOnly?: boolean & OmitZero;
  /**
   * Whether mounts below a read-only mount are read-only as well. Values other than `Disabled` require `readOnly: true`
   * and a `mountPropagation` that is `None` or unset. Unset means `Disabled`.
   */
  recursiveReadOnly?: RecursiveReadOnlyMode & Gated<"RecursiveReadOnlyMounts">;
  /**
   * Path in the container at which the volume is mounted. Must be unique among the mounts and devices of the container.
   */
  mountPath: string;
  /**
   * Path inside the volume that is mounted instead of its root. Must be relative and must not contain `..`. Files
   * mounted like this are not updated when a ConfigMap, Secret or projected volume changes. Excludes `subPathExpr`. Not
   * allowed for ephemeral containers.
   */
  subPath?: string & OmitZero;
  /** How mounts that are made later are propagated between node and container. Unset means `None`. */
  mountPropagation?: MountPropagationMode;
  /**
   * Like `subPath`, with references `$(NAME)` to environment variables of the container expanded. Excludes `subPath`.
   * Not allowed for ephemeral containers.
   */
  subPathExpr?: string & OmitZero & Since<"1.14">;
}

export type RecursiveReadOnlyMode = Open<
  /** Mounts below the mount may be writable. */
  | "Disabled"
  /** Mounts below are read-only if node and runtime support it. */
  | "IfPossible"
  /** Mounts below are read-only; if the runtime does not support it, the container does not start. */
  | "Enabled"
>;

export type MountPropagationMode =
  /**
   * The container sees no mounts that the node makes later below the volume, and the node sees none of the container's.
   */
  | "None"
  /** Mounts that the node makes later below the volume appear in the container. */
  | "HostToContainer"
  /**
   * Like `HostToContainer`, and mounts made in the container appear on the node and in other pods with this volume.
   * Only for privileged containers.
   */
  | "Bidirectional";

/** Makes a volume of the pod available to a container as a raw block device. */
export interface VolumeDevice {
  /**
   * Name of an entry in `volumes` of the pod, with `persistentVolumeClaim` or `ephemeral` as source. The same volume
   * must not be in `volumeMounts` of the container.
   */
  name: string;
  /**
   * Path in the container at which the device appears. Must be unique among the devices and mounts of the container and
   * must not contain `..`.
   */
  devicePath: string;
}
