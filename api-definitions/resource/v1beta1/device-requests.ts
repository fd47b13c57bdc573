import type { Always, Default, Gated, Int64, ListAtomic, OmitZero, Open } from "../../vocabulary.ts";
import type { DeviceConfiguration, DeviceSelector, DeviceToleration } from "./devices.ts";

export interface DeviceClaim {
  requests?: ListAtomic<DeviceRequest> & Always;
  constraints?: ListAtomic<DeviceConstraint>;
  config?: ListAtomic<DeviceClaimConfiguration>;
}

export interface DeviceRequest {
  name: string;
  deviceClassName?: string & Always;
  selectors?: ListAtomic<DeviceSelector>;
  allocationMode?: DeviceAllocationMode & OmitZero;
  count?: Int64 & OmitZero;
  adminAccess?: boolean & Gated<"DRAAdminAccess">;
  firstAvailable?: ListAtomic<DeviceSubRequest> & Gated<"DRAPrioritizedList">;
  tolerations?: ListAtomic<DeviceToleration> & Gated<"DRADeviceTaints">;
}

export type DeviceAllocationMode = Open<"ExactCount" | "All">;

export interface DeviceSubRequest {
  name: string;
  deviceClassName: string;
  selectors?: ListAtomic<DeviceSelector>;
  allocationMode?: DeviceAllocationMode & OmitZero & Default<"ExactCount">;
  count?: Int64 & OmitZero;
  tolerations?: ListAtomic<DeviceToleration> & Gated<"DRADeviceTaints">;
}

export interface DeviceConstraint {
  requests?: ListAtomic<string>;
  matchAttribute?: string;
}

export interface DeviceClaimConfiguration extends DeviceConfiguration {
  requests?: ListAtomic<string>;
}
