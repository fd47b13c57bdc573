import type { Default, Int64, OmitZero, Published, RawObject, Time } from "../../vocabulary.ts";

export interface DeviceConfiguration {
  opaque?: OpaqueDeviceConfiguration;
}

export interface OpaqueDeviceConfiguration {
  driver: string;
  parameters: RawObject;
}

export interface DeviceSelector {
  cel?: CELDeviceSelector;
}

export interface CELDeviceSelector {
  expression: string;
}

export interface DeviceTaint {
  key: string;
  value?: string & OmitZero;
  effect: DeviceTaintEffect;
  timeAdded?: Time;
}

export type DeviceTaintEffect = "NoSchedule" | "NoExecute";

export interface DeviceToleration {
  key?: string & OmitZero;
  operator?: DeviceTolerationOperator & OmitZero & Default<"Equal"> & Published;
  value?: string & OmitZero;
  effect?: DeviceTaintEffect & OmitZero;
  tolerationSeconds?: Int64;
}

export type DeviceTolerationOperator = "Exists" | "Equal";
