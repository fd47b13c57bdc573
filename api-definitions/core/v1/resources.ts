import type { Gated, ListMap, OmitZero, Open, Quantity } from "../../vocabulary.ts";

export interface ResourceRequirements {
  limits?: ResourceList;
  requests?: ResourceList;
  claims?: ListMap<ResourceClaim, "name"> & Gated<"DynamicResourceAllocation">;
}

export type ResourceList = Record<string, Quantity>;

export interface ResourceClaim {
  name: string;
  request?: string & OmitZero;
}

export interface VolumeResourceRequirements {
  limits?: ResourceList;
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
