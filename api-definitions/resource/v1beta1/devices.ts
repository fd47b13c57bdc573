import type { Default, Int64, OmitZero, Published, RawObject, Time } from "../../vocabulary.ts";

/** Configuration for a device driver. Exactly one of its fields must be set; `opaque` is the only one so far. */
export interface DeviceConfiguration {
  /** Configuration in the format of a driver. Required. */
  opaque?: OpaqueDeviceConfiguration;
}

/** Configuration in a format that only the driver knows. The API server stores it without validating the content. */
export interface OpaqueDeviceConfiguration {
  /**
   * Name of the driver that the configuration is for. Must be a DNS subdomain of at most 63 characters, such as
   * `gpu.example.com`.
   */
  driver: string;
  /**
   * Parameters as a JSON object of at most 10 KiB. It should have `apiVersion` and `kind`, so that drivers can tell
   * versions apart.
   */
  parameters: RawObject;
}

/** Condition on a device. Exactly one of its fields must be set; `cel` is the only one so far. */
export interface DeviceSelector {
  /** Condition as a CEL expression. Required. */
  cel?: CELDeviceSelector;
}

/** Condition on a device, written in the Common Expression Language (CEL). */
export interface CELDeviceSelector {
  /**
   * CEL expression that returns whether a device matches. `device.driver` is the name of the driver;
   * `device.attributes` and `device.capacity` are looked up by domain and name, such as in
   * `device.attributes['gpu.example.com'].model == 'A100'` or
   * `device.capacity['gpu.example.com'].memory.isGreaterThan(quantity('16Gi'))`. An expression that fails to evaluate,
   * such as by a missing attribute, aborts the allocation. At most 10 KiB, and limited in cost.
   */
  expression: string;
}

/** Taint of a device: keeps away claims that do not tolerate it, such as while the device is unhealthy. */
export interface DeviceTaint {
  /** Key of the taint: a label key, such as `example.com/unhealthy`. */
  key: string;
  /** Value of the taint: a label value. Optional. */
  value?: string & OmitZero;
  /** Effect on claims that do not tolerate the taint, and on pods that use them. */
  effect: DeviceTaintEffect;
  /** Time at which the taint was added. Set by the API server to the current time if unset. */
  timeAdded?: Time;
}

export type DeviceTaintEffect =
  /** The device is not allocated to claims that do not tolerate the taint. Pods that use it already keep running. */
  | "NoSchedule"
  /** The same, and pods that use the device already are evicted. */
  | "NoExecute";

/** Toleration of taints: devices whose taints match it may be allocated nevertheless. */
export interface DeviceToleration {
  /** Key of the tolerated taints. Empty matches every key; `operator` should then be `Exists`. */
  key?: string & OmitZero;
  /** How `value` is compared with the value of the taint. */
  operator?: DeviceTolerationOperator & OmitZero & Default<"Equal"> & Published;
  /** Value of the tolerated taints. Must be empty if `operator` is `Exists`. */
  value?: string & OmitZero;
  /** Effect of the tolerated taints. Empty matches every effect. */
  effect?: DeviceTaintEffect & OmitZero;
  /**
   * Seconds for which a `NoExecute` taint is tolerated, counted from `timeAdded`; then pods that use the device are
   * evicted. Zero and negative values evict at once. Unset tolerates it without limit.
   */
  tolerationSeconds?: Int64;
}

export type DeviceTolerationOperator =
  /** The taint matches whatever its value. */
  | "Exists"
  /** The taint matches if its value is equal to `value`. */
  | "Equal";
