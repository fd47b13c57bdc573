import type { Always, Default, Gated, Int64, ListAtomic, OmitZero, Open } from "../../vocabulary.ts";
import type { DeviceConfiguration, DeviceSelector, DeviceToleration } from "./devices.ts";

/** Devices that are asked for. */
export interface DeviceClaim {
  /** The requests. */
  requests?: ListAtomic<DeviceRequest> & Always;
  /** What must be true of all the devices together. */
  constraints?: ListAtomic<DeviceConstraint>;
  /** Settings for the drivers. */
  config?: ListAtomic<DeviceClaimConfiguration>;
}

/** Devices of one sort that are asked for. */
export interface DeviceRequest {
  /** Name of the request. */
  name: string;
  /** Class of the devices. */
  deviceClassName?: string & Always;
  /** Which devices of the class; all must hold. */
  selectors?: ListAtomic<DeviceSelector>;
  /** A number of them, or all there are. */
  allocationMode?: DeviceAllocationMode & OmitZero;
  /** How many. */
  count?: Int64 & OmitZero;
  /** Whether they may be in use by others, to look after them. */
  adminAccess?: boolean & Gated<"DRAAdminAccess">;
  /** Alternatives, best first. */
  firstAvailable?: ListAtomic<DeviceSubRequest> & Gated<"DRAPrioritizedList">;
  /** Taints that do not matter. */
  tolerations?: ListAtomic<DeviceToleration>;
}

export type DeviceAllocationMode = Open<"ExactCount" | "All">;

/** One of several alternatives. */
export interface DeviceSubRequest {
  /** Name of the alternative. */
  name: string;
  /** Class of the devices. */
  deviceClassName: string;
  /** Which devices of the class; all must hold. */
  selectors?: ListAtomic<DeviceSelector>;
  /** A number of them, or all there are. */
  allocationMode?: DeviceAllocationMode & OmitZero & Default<"ExactCount">;
  /** How many. */
  count?: Int64 & OmitZero;
  /** Taints that do not matter. */
  tolerations?: ListAtomic<DeviceToleration>;
}

/** What must be true of several devices together. */
export interface DeviceConstraint {
  /** Devices of these requests; all when empty. */
  requests?: ListAtomic<string>;
  /** Attribute in which they must agree. */
  matchAttribute?: string;
}

/** Settings for the drivers of some requests. */
export interface DeviceClaimConfiguration extends DeviceConfiguration {
  /** The requests; all when empty. */
  requests?: ListAtomic<string>;
}
