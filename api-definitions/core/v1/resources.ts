import type { Gated, ListMap, OmitZero, Open, Quantity, Since } from "../../vocabulary.ts";

/** Compute resources that a container or pod requests, and the most it may use. */
export interface ResourceRequirements {
  /**
   * Maximum amount of each resource, such as `cpu`, `memory`, `ephemeral-storage`, `hugepages-2Mi` or an extended
   * resource. A container over its CPU limit is throttled; over its memory limit it is killed. Unset means no limit,
   * unless a LimitRange sets one.
   */
  limits?: ResourceList;
  /**
   * Amount of each resource that the scheduler reserves on a node. Must not exceed `limits`, and must equal it for huge
   * pages and extended resources. Defaults to `limits` for resources that have a limit, and otherwise to the default of
   * a LimitRange or to nothing.
   */
  requests?: ResourceList;
  /** Entries of the pod's `resourceClaims` whose devices the container uses. Not used at the level of the pod. */
  claims?: ListMap<ResourceClaim, "name"> & Gated<"DynamicResourceAllocation">;
}

export type ResourceList = Record<string, Quantity>;

/** Use of a pod's resource claim by a container. */
export interface ResourceClaim {
  /** Name of an entry in the pod's `spec.resourceClaims`. */
  name: string;
  /** Name of one request of the claim whose devices are made available. If empty, the devices of all requests are. */
  request?: string & OmitZero & Since<"1.31">;
}

/** Size of a volume that a claim requests. */
export interface VolumeResourceRequirements {
  /** Maximum size of the volume, as `storage`. Unset means no maximum. */
  limits?: ResourceList;
  /**
   * Minimum size of the volume, as `storage`. Required and greater than 0 in claims. It may be increased once the claim
   * is bound, if its StorageClass allows expansion.
   */
  requests?: ResourceList;
}

export type ResourceName = Open<
  | "cpu"
  | "memory"
  | "storage"
  | "ephemeral-storage"
  | "pods"
  | "services"
  | "replicationcontrollers"
  | "resourcequotas"
  | "secrets"
  | "configmaps"
  | "persistentvolumeclaims"
  | "services.nodeports"
  | "services.loadbalancers"
  | "requests.cpu"
  | "requests.memory"
  | "requests.storage"
  | "requests.ephemeral-storage"
  | "limits.cpu"
  | "limits.memory"
  | "limits.ephemeral-storage"
>;
