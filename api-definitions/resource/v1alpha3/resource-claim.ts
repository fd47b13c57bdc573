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

/** What is asked for; fixed for good. */
export interface ResourceClaimSpec {
  /** The devices. */
  devices?: DeviceClaim & Always;
}

/** What came of a claim. */
export interface ResourceClaimStatus {
  /** What was given. */
  allocation?: AllocationResult;
  /** Who may use it. */
  reservedFor?: ListMap<ResourceClaimConsumerReference, "uid"> & PatchMerge<"uid">;
  /** What drivers say about the devices. */
  devices?: ListMap<AllocatedDeviceStatus, "driver", "device", "pool"> & Gated<"DRAResourceClaimDeviceStatus">;
}

/** What was given. */
export interface AllocationResult {
  /** The devices. */
  devices?: DeviceAllocationResult & Always;
  /** Nodes where they can be used. */
  nodeSelector?: NodeSelector;
}

/** Devices that were given. */
export interface DeviceAllocationResult {
  /** The devices. */
  results?: ListAtomic<DeviceRequestAllocationResult>;
  /** Settings for their drivers. */
  config?: ListAtomic<DeviceAllocationConfiguration>;
}

/** A device that was given. */
export interface DeviceRequestAllocationResult {
  /** The request it is for. */
  request: string;
  /** Its driver. */
  driver: string;
  /** Its pool. */
  pool: string;
  /** Its name. */
  device: string;
  /** Whether it may be in use by others. */
  adminAccess?: boolean & Nullable & Gated<"DRAAdminAccess">;
  /** Taints that did not matter. */
  tolerations?: ListAtomic<DeviceToleration>;
}

/** Settings for the drivers of some requests. */
export interface DeviceAllocationConfiguration extends DeviceConfiguration {
  /** Whether they come from the class or the claim. */
  source: string;
  /** The requests; all when empty. */
  requests?: ListAtomic<string>;
}

/** Somebody who may use a claim. */
export interface ResourceClaimConsumerReference {
  /** Group of its resource. */
  apiGroup?: string & OmitZero;
  /** Its resource. */
  resource: string;
  /** Its name. */
  name: string;
  /** Its uid. */
  uid: string;
}

/** What a driver says about a device. */
export interface AllocatedDeviceStatus {
  /** The driver. */
  driver: string;
  /** Pool of the device. */
  pool: string;
  /** Name of the device. */
  device: string;
  /** Findings about it. */
  conditions?: ListMap<Condition, "type"> & Always;
  /** Anything else the driver says. */
  data?: RawObject;
  /** Its network addresses. */
  networkData?: NetworkDeviceData;
}

/** Addresses of a network device. */
export interface NetworkDeviceData {
  /** Name of the interface. */
  interfaceName?: string & OmitZero;
  /** Its addresses. */
  ips?: ListAtomic<string>;
  /** Its hardware address. */
  hardwareAddress?: string & OmitZero;
}

export const resourceClaim = kind<ResourceClaim>({
  plural: "resourceclaims",
  generation: false,
  introduced: "1.31",
  deprecated: "1.34",
  removed: "1.37",
  replacement: "resource.<domain>/v1beta1 ResourceClaim",
  offByDefault: true,
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "State", type: "string", description: "Whether it has its devices and is in use." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
