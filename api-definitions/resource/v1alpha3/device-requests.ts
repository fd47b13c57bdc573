import type { Always, Default, Gated, Int64, ListAtomic, OmitZero, Open, Since } from "../../vocabulary.ts";
import type { DeviceConfiguration, DeviceSelector, DeviceToleration } from "./devices.ts";

/**
 * Devices that a claim requests: all requests must be satisfied together, by devices that can be used on the same node.
 */
export interface DeviceClaim {
  /**
   * Requests for devices, at most 32. Names must be unique. Containers of a pod can use all requests of a claim or
   * single ones.
   */
  requests?: ListAtomic<DeviceRequest> & Always;
  /** Constraints that the allocated devices must satisfy together, such as being on the same board. At most 32. */
  constraints?: ListAtomic<DeviceConstraint>;
  /**
   * Configuration for the drivers of the allocated devices, applied after that of the DeviceClass. At most 32 entries.
   */
  config?: ListAtomic<DeviceClaimConfiguration>;
}

/** Request for one or more devices of the same kind. */
export interface DeviceRequest {
  /**
   * Name of the request, by which pods, constraints and configuration refer to it. Must be a DNS label, unique in the
   * claim.
   */
  name: string;
  /**
   * Name of the DeviceClass from which devices are allocated. Exactly one of `deviceClassName` and `firstAvailable`
   * must be set.
   */
  deviceClassName?: string & Always;
  /**
   * Conditions that a device must all satisfy, in addition to those of the class. At most 32. Excludes
   * `firstAvailable`.
   */
  selectors?: ListAtomic<DeviceSelector>;
  /**
   * How many devices are allocated. Defaults to `ExactCount` if `deviceClassName` is set. Excludes `firstAvailable`.
   */
  allocationMode?: DeviceAllocationMode & OmitZero;
  /**
   * Number of devices if `allocationMode` is `ExactCount`. Must be greater than 0; defaults to 1. Must be unset if
   * `allocationMode` is `All`. Excludes `firstAvailable`.
   */
  count?: Int64 & OmitZero;
  /**
   * Whether devices are allocated that other claims use as well, for monitoring and maintenance by administrators. Such
   * devices do not count as in use. Privileged: allow it only in namespaces of administrators. Excludes
   * `firstAvailable`. Defaults to `false`.
   */
  adminAccess?: boolean & Gated<"DRAAdminAccess">;
  /**
   * Alternatives in order of preference, at most 8: the scheduler uses the first one that it can satisfy. Excludes the
   * other fields except `name`.
   */
  firstAvailable?: ListAtomic<DeviceSubRequest> & Gated<"DRAPrioritizedList">;
  /**
   * Taints of devices that the request tolerates. Devices with other taints of effect `NoSchedule` or `NoExecute` are
   * not allocated. Excludes `firstAvailable`.
   */
  tolerations?: ListAtomic<DeviceToleration> & Since<"1.33">;
}

export type DeviceAllocationMode = Open<
  /** As many devices as `count`. */
  | "ExactCount"
  /**
   * All matching devices of a pool, at least one. The allocation fails if one of them is in use, unless `adminAccess`
   * is set.
   */
  | "All"
>;

/** Alternative of a request: devices of one class. */
export interface DeviceSubRequest {
  /**
   * Name of the alternative, unique in the request. Must be a DNS label. Constraints and configuration refer to it as
   * `<request>/<alternative>`.
   */
  name: string;
  /** Name of the DeviceClass from which devices are allocated. Required. */
  deviceClassName: string;
  /** Conditions that a device must all satisfy, in addition to those of the class. At most 32. */
  selectors?: ListAtomic<DeviceSelector>;
  /** How many devices are allocated. */
  allocationMode?: DeviceAllocationMode & OmitZero & Default<"ExactCount">;
  /**
   * Number of devices if `allocationMode` is `ExactCount`. Must be greater than 0; defaults to 1. Must be unset if
   * `allocationMode` is `All`.
   */
  count?: Int64 & OmitZero;
  /**
   * Taints of devices that the request tolerates. Devices with other taints of effect `NoSchedule` or `NoExecute` are
   * not allocated.
   */
  tolerations?: ListAtomic<DeviceToleration>;
}

/** Constraint that the devices of several requests must satisfy together. */
export interface DeviceConstraint {
  /**
   * Names of the requests, or `<request>/<alternative>`, whose devices the constraint applies to. Empty means all
   * requests of the claim. Entries must be unique.
   */
  requests?: ListAtomic<string>;
  /**
   * Name of the attribute, with its domain, such as `dra.example.com/numa`, that all devices must have with the same
   * type and value. Required. A device without the attribute is not allocated.
   */
  matchAttribute?: string;
}

/** Configuration for the drivers of the devices of some requests of a claim. */
export interface DeviceClaimConfiguration extends DeviceConfiguration {
  /**
   * Names of the requests, or `<request>/<alternative>`, to whose devices the configuration applies. Empty means all
   * requests of the claim. Entries must be unique.
   */
  requests?: ListAtomic<string>;
}
