import type { NodeSelector } from "../../core/v1/scheduling.ts";
import type { Condition } from "../../meta/v1/condition.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Gated,
  kind,
  type ListAtomic,
  type ListMap,
  type Nullable,
  type OmitZero,
  type PatchMerge,
  type RawObject,
} from "../../vocabulary.ts";
import type { DeviceClaim } from "./device-requests.ts";
import type { DeviceConfiguration, DeviceToleration } from "./devices.ts";

/** Asks for devices, and holds them once given. */
export interface ResourceClaim extends Namespaced {
  /** What is asked for. */
  spec: ResourceClaimSpec;
  /** What is the case, as last seen. */
  status?: ResourceClaimStatus & Always;
}

export interface ResourceClaimSpec {
  devices?: DeviceClaim & Always;
}

export interface ResourceClaimStatus {
  allocation?: AllocationResult;
  reservedFor?: ListMap<ResourceClaimConsumerReference, "uid"> & PatchMerge<"uid">;
  devices?: ListMap<AllocatedDeviceStatus, "driver", "device", "pool"> & Gated<"DRAResourceClaimDeviceStatus">;
}

export interface AllocationResult {
  devices?: DeviceAllocationResult & Always;
  nodeSelector?: NodeSelector;
}

export interface DeviceAllocationResult {
  results?: ListAtomic<DeviceRequestAllocationResult>;
  config?: ListAtomic<DeviceAllocationConfiguration>;
}

export interface DeviceRequestAllocationResult {
  request: string;
  driver: string;
  pool: string;
  device: string;
  adminAccess?: boolean & Nullable & Gated<"DRAAdminAccess">;
  tolerations?: ListAtomic<DeviceToleration> & Gated<"DRADeviceTaints">;
}

export interface DeviceAllocationConfiguration extends DeviceConfiguration {
  source: string;
  requests?: ListAtomic<string>;
}

export interface ResourceClaimConsumerReference {
  apiGroup?: string & OmitZero;
  resource: string;
  name: string;
  uid: string;
}

export interface AllocatedDeviceStatus {
  driver: string;
  pool: string;
  device: string;
  conditions?: ListMap<Condition, "type"> & Always;
  data?: RawObject;
  networkData?: NetworkDeviceData;
}

export interface NetworkDeviceData {
  interfaceName?: string & OmitZero;
  ips?: ListAtomic<string>;
  hardwareAddress?: string & OmitZero;
}

export const resourceClaim = kind<ResourceClaim>({
  plural: "resourceclaims",
  introduced: "1.33",
  deprecated: "1.36",
  removed: "1.39",
  offByDefault: true,
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "State", type: "string", description: "Whether it has its devices and is in use." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "How long ago the object was created.",
    },
  ],
});
