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

/**
 * Claim of devices, such as GPUs or network cards, for pods. Pods refer to it in `spec.resourceClaims`; the scheduler
 * allocates devices when the first pod is scheduled and reserves the claim for each pod that uses it. Pods that refer
 * to the same claim share its devices.
 */
export interface ResourceClaim extends Namespaced {
  /** Desired state of the ResourceClaim: the devices that are requested. Cannot be changed after creation. */
  spec: ResourceClaimSpec;
  /**
   * Observed state of the ResourceClaim, set by the scheduler and the drivers: the allocated devices and the pods that
   * use them.
   */
  status?: ResourceClaimStatus & Always;
}

/** Devices that a claim requests. */
export interface ResourceClaimSpec {
  /** Requests for devices, with constraints and configuration. */
  devices?: DeviceClaim & Always;
}

/** Observed state of a ResourceClaim. */
export interface ResourceClaimStatus {
  /**
   * Allocated devices, set by the scheduler. Unset while the claim is pending. It cannot be changed, only removed,
   * which deallocates the claim; that happens when no pod uses it any more.
   */
  allocation?: AllocationResult;
  /**
   * Pods that may use the claim, at most 256, set by the scheduler. A pod starts only if it is listed. Needs
   * `allocation`. New entries are refused while the claim is being deleted.
   */
  reservedFor?: ListMap<ResourceClaimConsumerReference, "uid"> & PatchMerge<"uid">;
  /** Observed state of the allocated devices, set by their drivers. Entries must refer to devices in `allocation`. */
  devices?: ListMap<AllocatedDeviceStatus, "driver", "device", "pool"> & Gated<"DRAResourceClaimDeviceStatus">;
}

/** Devices that are allocated to a claim and the nodes where they can be used. */
export interface AllocationResult {
  /** Allocated devices and the configuration for their drivers. */
  devices?: DeviceAllocationResult & Always;
  /** Nodes on which the devices can be used, and therefore the pods of the claim. Unset means all nodes. */
  nodeSelector?: NodeSelector;
}

/** Devices that are allocated to a claim. */
export interface DeviceAllocationResult {
  /** Allocated devices, at most 32. One request may have several. */
  results?: ListAtomic<DeviceRequestAllocationResult>;
  /**
   * Configuration for the drivers, copied from DeviceClasses and the claim at the time of the allocation, at most 64
   * entries. Entries from classes come first; a driver applies its entries in order, so that later ones override
   * earlier ones.
   */
  config?: ListAtomic<DeviceAllocationConfiguration>;
}

/** Device that is allocated for a request. `driver`, `pool` and `device` identify it. */
export interface DeviceRequestAllocationResult {
  /** Name of the request that the device is allocated for, or `<request>/<alternative>`. */
  request: string;
  /** Name of the driver that prepares the device on the node, such as `gpu.example.com`. */
  driver: string;
  /**
   * Name of the pool that the device is in: at most 253 characters, one or more DNS subdomains separated by slashes.
   */
  pool: string;
  /** Name of the device in its pool: a DNS label. */
  device: string;
  /**
   * Whether the device is allocated for administrators, in addition to other claims that use it. Copied from the
   * request.
   */
  adminAccess?: boolean & Nullable & Gated<"DRAAdminAccess">;
  /**
   * Tolerations of the request at the time of the allocation. They decide whether pods are evicted when a taint is
   * added to the device.
   */
  tolerations?: ListAtomic<DeviceToleration>;
}

/** Configuration for the drivers of the allocated devices of some requests. */
export interface DeviceAllocationConfiguration extends DeviceConfiguration {
  /** Where the configuration comes from: `FromClass` for a DeviceClass, `FromClaim` for the claim. */
  source: string;
  /**
   * Names of the requests, or `<request>/<alternative>`, to whose devices the configuration applies. Empty means all
   * requests of the claim. Entries must be unique.
   */
  requests?: ListAtomic<string>;
}

/** Object that may use a claim, in the namespace of the claim; usually a pod. */
export interface ResourceClaimConsumerReference {
  /** API group of the resource of the consumer. Empty is the core group. */
  apiGroup?: string & OmitZero;
  /** Resource of the consumer in plural, such as `pods`. Required. */
  resource: string;
  /** Name of the consumer. Required. */
  name: string;
  /** UID of the consumer, which tells it from a later object with the same name. Required. */
  uid: string;
}

/** Observed state of an allocated device, set by its driver. `driver`, `pool` and `device` identify it. */
export interface AllocatedDeviceStatus {
  /** Name of the driver of the device, as in `allocation`. */
  driver: string;
  /** Name of the pool of the device, as in `allocation`. */
  pool: string;
  /** Name of the device in its pool, as in `allocation`. */
  device: string;
  /** Conditions of the device, at most 8, such as `Ready`. */
  conditions?: ListMap<Condition, "type"> & Always;
  /** Additional data in the format of the driver: a JSON object of at most 10 KiB. */
  data?: RawObject;
  /** Interface and addresses of the device, if it is a network device. */
  networkData?: NetworkDeviceData;
}

/** Interface and addresses of a network device, as seen in the pod. */
export interface NetworkDeviceData {
  /** Name of the network interface in the pod. At most 256 characters. */
  interfaceName?: string & OmitZero;
  /**
   * IP addresses of the interface with the length of their prefix, such as `192.0.2.5/24` or `2001:db8::5/64`, in
   * canonical form. At most 16 entries, which must be unique.
   */
  ips?: ListAtomic<string>;
  /** Hardware address (MAC) of the interface. At most 128 characters. */
  hardwareAddress?: string & OmitZero;
}

export const resourceClaim = kind<ResourceClaim>({
  plural: "resourceclaims",
  returnsDeleted: true,
  generation: false,
  introduced: "1.33",
  deprecated: "1.36",
  removed: "1.39",
  offByDefault: true,
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the ResourceClaim." },
    {
      name: "State",
      type: "string",
      description: "State of the claim: `pending`, or `deleted`, `allocated` and `reserved` as they apply.",
    },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since the ResourceClaim was created.",
    },
  ],
});
