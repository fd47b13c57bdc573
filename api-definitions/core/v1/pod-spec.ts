import type { ObjectMeta } from "../../meta/v1/object-meta.ts";
import type {
  Always,
  Default,
  Deprecated,
  Gated,
  Int32,
  Int64,
  ListAtomic,
  ListMap,
  MapAtomic,
  OmitZero,
  Open,
  PatchMerge,
  PatchRetainKeys,
  Since,
} from "../../vocabulary.ts";
import type { Container } from "./container.ts";
import type { EphemeralContainer } from "./ephemeral-container.ts";
import type { PodConditionType } from "./pod-status.ts";
import type { LocalObjectReference } from "./references.ts";
import type { ResourceList, ResourceRequirements } from "./resources.ts";
import type { Affinity, Toleration, TopologySpreadConstraint } from "./scheduling.ts";
import type { PodSecurityContext } from "./security.ts";
import type { Volume } from "./volumes.ts";

/**
 * Template of the pods that a workload creates. Metadata and spec are copied into each new pod; a later change affects
 * only pods that are created after it.
 */
export interface PodTemplateSpec {
  /**
   * Labels and annotations of the pods created from this template. The labels must match the selector of the workload.
   */
  metadata?: ObjectMeta & Always;
  /** Desired state of the pods created from this template. `ephemeralContainers` are not allowed in a template. */
  spec?: PodSpec & Always;
}

/**
 * Desired state of a pod: its containers, the volumes they use, and rules about scheduling, networking and security. In
 * a Pod most fields are fixed at creation; in a template they can change at any time and apply to pods created later.
 */
export interface PodSpec {
  /** Volumes that containers of the pod can mount with `volumeMounts`, or use as block devices with `volumeDevices`. */
  volumes?: ListMap<Volume, "name"> & PatchMerge<"name"> & PatchRetainKeys;
  /**
   * Containers that run before those in `containers`, one after the other, each to completion. If one fails, it is
   * retried, unless `restartPolicy` is `Never`: then the pod fails. One with `restartPolicy: Always` is a sidecar: the
   * next container starts once it has started, and it runs until the other containers have ended. Probes and
   * `lifecycle` are allowed in sidecars only. For scheduling, the pod requests the higher of the largest init container
   * and the sum of the other containers. Names must be unique among all containers of the pod. Containers cannot be
   * added or removed after creation; of their fields only `image` can change, and `resources` of sidecars through the
   * subresource `resize`.
   */
  initContainers?: ListMap<Container, "name"> & PatchMerge<"name">;
  /**
   * Main containers of the pod, at least one. They start in parallel after the init containers. Containers cannot be
   * added or removed after creation; of their fields only `image` can change, and `resources` through the subresource
   * `resize`.
   */
  containers: ListMap<Container, "name"> & PatchMerge<"name">;
  /**
   * Containers added to a running pod for debugging, such as by `kubectl debug`. Not allowed when a pod is created, nor
   * in templates: add them with an update of the subresource `ephemeralcontainers`. They are never restarted, and
   * cannot be changed or removed.
   */
  ephemeralContainers?: ListMap<EphemeralContainer, "name"> & PatchMerge<"name"> & Since<"1.16">;
  /**
   * Whether the kubelet restarts containers that have exited, with an increasing delay of up to five minutes. Applies
   * to all containers of the pod except sidecars. Workloads restrict it: Deployments, ReplicaSets, StatefulSets,
   * DaemonSets and ReplicationControllers allow only `Always`, Jobs only `OnFailure` and `Never`.
   */
  restartPolicy?: RestartPolicy & OmitZero & Default<"Always">;
  /**
   * Seconds that containers have to stop after a deletion request. They get the stop signal (usually SIGTERM, after the
   * `preStop` hook) and are killed when the time is up. `0` kills them at once; a negative value counts as `1`. A
   * deletion request can override it.
   */
  terminationGracePeriodSeconds?: Int64 & Default<30>;
  /**
   * Seconds after `status.startTime` at which the kubelet kills the pod and marks it as failed. From 1 to 2147483647;
   * no deadline if unset. In a Pod it can be set or lowered later, but not raised or removed. Of the workloads only
   * Jobs allow it in their template.
   */
  activeDeadlineSeconds?: Int64;
  /**
   * Source of the DNS settings in the containers' `/etc/resolv.conf`. Settings in `dnsConfig` are merged into the
   * result.
   */
  dnsPolicy?: DNSPolicy & OmitZero & Default<"ClusterFirst">;
  /**
   * Labels that a node must have, all with exactly these values, to run the pod. Can be extended, but not otherwise
   * changed, while the pod has `schedulingGates`. See `affinity` for more expressive rules.
   */
  nodeSelector?: MapAtomic<string>;
  /**
   * Name of the ServiceAccount, in the same namespace, whose identity the pod uses for requests to the API. Must exist.
   * Defaults to `default` when a pod is created.
   */
  serviceAccountName?: string & OmitZero;
  /**
   * Older name of `serviceAccountName`. The server sets both to the same value; `serviceAccountName` wins if they
   * differ.
   */
  serviceAccount?: string & OmitZero & Deprecated<"use `serviceAccountName` instead">;
  /**
   * Whether a token of the service account, with the CA certificate and the namespace, is mounted into the containers
   * and init containers at `/var/run/secrets/kubernetes.io/serviceaccount`. Defaults to the same field of the
   * ServiceAccount, and to `true` if that is unset, too.
   */
  automountServiceAccountToken?: boolean;
  /**
   * Name of the node that runs the pod. The scheduler sets it through the subresource `binding`. A pod created with a
   * name here is not scheduled: the kubelet of that node runs it, or rejects it if resources are insufficient. Must be
   * empty while the pod has `schedulingGates`.
   */
  nodeName?: string & OmitZero;
  /**
   * Runs the pod in the network namespace of its node: containers share the node's addresses and ports. `hostPort` of
   * each port must then equal `containerPort`, and defaults to it in a Pod. Use the DNS policy
   * `ClusterFirstWithHostNet` to resolve Services. Not allowed if `hostUsers` is `false`.
   */
  hostNetwork?: boolean & OmitZero;
  /**
   * Runs the pod in the process namespace of its node, where containers see all processes of the node. Excludes
   * `shareProcessNamespace`. Not allowed if `hostUsers` is `false`, nor for Windows.
   */
  hostPID?: boolean & OmitZero;
  /**
   * Runs the pod in the IPC namespace of its node, with access to its shared memory, semaphores and message queues. Not
   * allowed if `hostUsers` is `false`, nor for Windows.
   */
  hostIPC?: boolean & OmitZero;
  /**
   * Runs all containers of the pod in one process namespace, so that they see and can signal each other's processes,
   * and the first process of a container does not have the process id 1. Excludes `hostPID`. Not allowed for Windows.
   * Unset means `false`.
   */
  shareProcessNamespace?: boolean & Since<"1.10">;
  /**
   * Security settings for all containers of the pod and for its volumes. Fields that `securityContext` of a container
   * sets as well are overridden there.
   */
  securityContext?: PodSecurityContext & Default<{}>;
  /**
   * Secrets in the same namespace with credentials for image registries, of type `kubernetes.io/dockerconfigjson` or
   * `kubernetes.io/dockercfg`. The kubelet uses them to pull all images of the pod. If empty, a new pod gets those of
   * its ServiceAccount.
   */
  imagePullSecrets?: ListMap<LocalObjectReference, "name"> & PatchMerge<"name">;
  /** Host name inside the pod. Must be a DNS label. Defaults to the name of the pod. */
  hostname?: string & OmitZero;
  /**
   * Subdomain of the pod. Must be a DNS label. The fully qualified name of the pod becomes
   * `<hostname>.<subdomain>.<namespace>.svc.<cluster domain>`; it resolves if a headless Service has the name of the
   * subdomain. If unset, the pod has no domain name.
   */
  subdomain?: string & OmitZero;
  /**
   * Rules that attract the pod to nodes, or to nodes that run certain other pods, or repel it from them. Evaluated when
   * the pod is scheduled. Node affinity can be narrowed while the pod has `schedulingGates`.
   */
  affinity?: Affinity;
  /**
   * Name of the scheduler that assigns the pod to a node. If no running scheduler has this name, the pod stays
   * `Pending`.
   */
  schedulerName?: string & OmitZero & Default<"default-scheduler">;
  /**
   * Taints of nodes that do not prevent the pod from running there. In a Pod, tolerations can be added later, but of
   * existing ones only `tolerationSeconds` can change. By default a new pod gets tolerations for the taints
   * `node.kubernetes.io/not-ready` and `node.kubernetes.io/unreachable` of 300 seconds each, unless it has its own.
   */
  tolerations?: ListAtomic<Toleration>;
  /** Additional entries for the `/etc/hosts` file of the containers. */
  hostAliases?: ListMap<HostAlias, "ip"> & PatchMerge<"ip">;
  /**
   * Name of the PriorityClass that determines `priority` and `preemptionPolicy`. Must exist. Defaults to the class
   * marked `globalDefault`; without one the priority is 0. `system-node-critical` and `system-cluster-critical` are the
   * highest.
   */
  priorityClassName?: string & OmitZero;
  /**
   * Priority of the pod; higher values are scheduled first and can preempt lower ones. Set by admission from
   * `priorityClassName` when the pod is created; another value is rejected.
   */
  priority?: Int32;
  /**
   * DNS settings that are merged with those of `dnsPolicy`: name servers and search domains are appended, options
   * override those of the same name. Required, with at least one name server, if `dnsPolicy` is `None`.
   */
  dnsConfig?: PodDNSConfig & Since<"1.9">;
  /**
   * Conditions of the pod, set by external controllers, that must be `True`, in addition to ready containers, for the
   * pod to be ready. A condition that is missing counts as `False`.
   */
  readinessGates?: ListAtomic<PodReadinessGate> & Since<"1.11">;
  /**
   * Name of the RuntimeClass that selects the container runtime of the pod. Must exist when the pod is created. If
   * unset, the default runtime of the node is used. The class can add `overhead`, `nodeSelector` and `tolerations` to
   * the pod.
   */
  runtimeClassName?: string & Since<"1.12">;
  /**
   * Whether containers get environment variables with address and port of each Service in the namespace, as Docker
   * links did. Defaults to `true` in a Pod.
   */
  enableServiceLinks?: boolean & Since<"1.13">;
  /**
   * Whether the pod may preempt pods of lower priority when no node has room for it. Set by admission from the
   * PriorityClass when the pod is created; another value is rejected. `PreemptLowerPriority` is used if unset.
   */
  preemptionPolicy?: PreemptionPolicy & Since<"1.15">;
  /**
   * Resources that the container runtime itself needs for the pod, in addition to those of its containers. Counted by
   * the scheduler and by quotas. Set by admission from the RuntimeClass; a pod whose value differs from its class is
   * rejected.
   */
  overhead?: ResourceList & Since<"1.16">;
  /**
   * How pods are spread over zones, nodes or other topology domains. The scheduler places the pod so that all
   * constraints hold; those with `whenUnsatisfiable: ScheduleAnyway` only influence the choice. If unset, the
   * scheduler's default constraints apply.
   */
  topologySpreadConstraints?: ListMap<TopologySpreadConstraint, "topologyKey", "whenUnsatisfiable"> &
    PatchMerge<"topologyKey"> &
    Since<"1.16">;
  /**
   * Uses the fully qualified domain name of the pod as its host name, instead of only the first part. Has no effect if
   * the pod has no `subdomain`. On Linux the name must not exceed 64 characters, otherwise the pod does not start.
   * Unset means `false`.
   */
  setHostnameAsFQDN?: boolean & Since<"1.19">;
  /**
   * Operating system that the containers need. The kubelet of a node with another one rejects the pod. The scheduler
   * does not consider it: select nodes with the label `kubernetes.io/os`. If set, fields that have no meaning on that
   * system are rejected: on Linux `windowsOptions`, on Windows Linux security settings such as `runAsUser`,
   * `seccompProfile` and `capabilities`, and `hostPID`, `hostIPC`, `hostUsers` and `shareProcessNamespace`.
   */
  os?: PodOS & Since<"1.23">;
  /**
   * Whether the pod uses the user namespace of its node. With `false` it gets its own, in which root of the container
   * is an unprivileged user of the node; this excludes `hostNetwork`, `hostPID` and `hostIPC`. Needs support by kernel,
   * file systems and runtime of the node. Unset means `true`. Not allowed for Windows.
   */
  hostUsers?: boolean & Since<"1.25"> & Gated<"UserNamespacesSupport">;
  /**
   * Gates that delay scheduling: while there are any, the scheduler ignores the pod and its condition `PodScheduled` is
   * `False` with reason `SchedulingGated`. Can be set only at creation; afterwards gates can be removed, not added.
   * `nodeName` must be empty while there are gates.
   */
  schedulingGates?: ListMap<PodSchedulingGate, "name"> & PatchMerge<"name"> & Since<"1.26">;
  /**
   * ResourceClaims whose devices must be allocated and reserved for the pod before it can start. A container uses one
   * by naming it in `resources.claims`.
   */
  resourceClaims?: ListMap<PodResourceClaim, "name"> &
    PatchMerge<"name"> &
    PatchRetainKeys &
    Gated<"DynamicResourceAllocation">;
  /**
   * Resource requests and limits of the pod as a whole, for CPU and memory; `claims` are not supported. Containers
   * without own limits share what the pod has. Pods with these cannot use the subresource `resize`.
   */
  resources?: ResourceRequirements & Gated<"PodLevelResources">;
}

export type RestartPolicy =
  /** Containers are restarted whenever they exit. */
  | "Always"
  /** Containers are restarted if they exit with a code other than 0. */
  | "OnFailure"
  /** Containers are not restarted. */
  | "Never";

export type DNSPolicy =
  /** Like `ClusterFirst`, also for pods with `hostNetwork`. */
  | "ClusterFirstWithHostNet"
  /**
   * Queries go to the DNS server of the cluster, which forwards names outside of the cluster domain. Pods with
   * `hostNetwork` fall back to `Default`.
   */
  | "ClusterFirst"
  /** DNS settings of the node. */
  | "Default"
  /** Only the settings in `dnsConfig`, which is then required. */
  | "None";

export type PreemptionPolicy =
  /** Pods of lower priority may be evicted to make room. */
  | "PreemptLowerPriority"
  /** The pod waits in the scheduling queue, ahead of lower priorities, until there is room without preemption. */
  | "Never";

/** An entry of the pod's `/etc/hosts` file: host names that resolve to an IP address. */
export interface HostAlias {
  /** IP address to which the host names resolve. */
  ip: string;
  /** Host names for the address, each a DNS subdomain. */
  hostnames?: ListAtomic<string>;
}

/** DNS settings of a pod, merged with those of its `dnsPolicy`. */
export interface PodDNSConfig {
  /**
   * IP addresses of DNS servers, appended to those of `dnsPolicy`; duplicates are dropped. At most 3. At least one is
   * required if `dnsPolicy` is `None`.
   */
  nameservers?: ListAtomic<string>;
  /**
   * Search domains for host names, appended to those of `dnsPolicy`; duplicates are dropped. At most 32 domains with
   * 2048 characters in total.
   */
  searches?: ListAtomic<string>;
  /**
   * Options of the resolver, such as `ndots`. They are merged with those of `dnsPolicy` and override options of the
   * same name.
   */
  options?: ListAtomic<PodDNSConfigOption>;
}

/** An option in the containers' `/etc/resolv.conf`. */
export interface PodDNSConfigOption {
  /** Name of the option, such as `ndots`. Required. */
  name?: string & OmitZero;
  /** Value of the option, such as `2`. Unset for options without a value, such as `edns0`. */
  value?: string;
}

/**
 * A condition that must be `True` for the pod to be ready. Use it to let an external controller, such as that of a load
 * balancer, take part in readiness.
 */
export interface PodReadinessGate {
  /**
   * Type of a condition in `status.conditions` of the pod. Must be a qualified name, such as
   * `example.com/load-balancer-ready`.
   */
  conditionType: PodConditionType;
}

/** Operating system that a pod needs. */
export interface PodOS {
  /** Name of the operating system. Other values than `linux` and `windows` are rejected. */
  name: OSName;
}

export type OSName = Open<
  /** The pod runs Linux containers. */
  | "linux"
  /** The pod runs Windows containers. */
  | "windows"
>;

/** A gate that delays scheduling of a pod until a controller or user removes it. */
export interface PodSchedulingGate {
  /** Name of the gate, unique in the pod. Must be a qualified name, such as `example.com/quota-check`. */
  name: string;
}

/**
 * A reference to a ResourceClaim of the pod: either an existing one, possibly shared with other pods, or one created
 * for the pod from a template. Exactly one of `resourceClaimName` and `resourceClaimTemplateName` must be set.
 */
export interface PodResourceClaim {
  /** Name by which containers refer to the claim in `resources.claims`. Must be a DNS label, unique in the pod. */
  name: string;
  /** Name of an existing ResourceClaim in the namespace of the pod. Excludes `resourceClaimTemplateName`. */
  resourceClaimName?: string & Since<"1.31">;
  /**
   * Name of a ResourceClaimTemplate in the namespace of the pod. A ResourceClaim is created from it, owned by the pod
   * and deleted with it; its name is in `status.resourceClaimStatuses`. Excludes `resourceClaimName`.
   */
  resourceClaimTemplateName?: string & Since<"1.31">;
}
