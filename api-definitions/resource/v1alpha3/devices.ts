import type { Default, Int64, OmitZero, Published, RawObject, Time } from "../../vocabulary.ts";

/** Settings for a driver. */
export interface DeviceConfiguration {
  /** In a form that only the driver knows. */
  opaque?: OpaqueDeviceConfiguration;
}

/** Settings that only the driver understands. */
export interface OpaqueDeviceConfiguration {
  /** The driver. */
  driver: string;
  /** The settings. */
  parameters: RawObject;
}

/** Which devices. */
export interface DeviceSelector {
  /** Told in CEL. */
  cel?: CELDeviceSelector;
}

/** Which devices, told in CEL. */
export interface CELDeviceSelector {
  /** The condition. */
  expression: string;
}

/** A mark on a device that keeps claims away unless they tolerate it. */
export interface DeviceTaint {
  /** Key of the mark. */
  key: string;
  /** Its value. */
  value?: string & OmitZero;
  /** What it does to claims that do not tolerate it. */
  effect: DeviceTaintEffect;
  /** When it was put on. */
  timeAdded?: Time;
}

export type DeviceTaintEffect = "NoSchedule" | "NoExecute";

/** Taints of devices that do not matter. */
export interface DeviceToleration {
  /** Key of the taint; every key when empty. */
  key?: string & OmitZero;
  /** `Equal` compares the value, `Exists` does not. */
  operator?: DeviceTolerationOperator & OmitZero & Default<"Equal"> & Published;
  /** Value of the taint. */
  value?: string & OmitZero;
  /** Effect of the taint; every effect when empty. */
  effect?: DeviceTaintEffect & OmitZero;
  /** Seconds it stays with a `NoExecute` taint. */
  tolerationSeconds?: Int64;
}

export type DeviceTolerationOperator = "Exists" | "Equal";
