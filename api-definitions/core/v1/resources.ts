import type { Gated, ListMap, OmitZero, Open, Quantity } from "../../vocabulary.ts";

/** What is needed, and how much may be used at most. */
export interface ResourceRequirements {
  /** The most that may be used. */
  limits?: ResourceList;
  /** What is set aside; the limits, where nothing is said. */
  requests?: ResourceList;
  /** Devices of the pod that are used. */
  claims?: ListMap<ResourceClaim, "name"> & Gated<"DynamicResourceAllocation">;
}

export type ResourceList = Record<string, Quantity>;

/** A claim of the pod that a container uses. */
export interface ResourceClaim {
  /** Name of the pod's claim. */
  name: string;
  /** One request of it; all of them when empty. */
  request?: string & OmitZero;
}

/** How much storage is needed. */
export interface VolumeResourceRequirements {
  /** The most that is wanted. */
  limits?: ResourceList;
  /** The least that will do. */
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
