import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic } from "../../vocabulary.ts";
import type { DeviceSelector, DeviceTaint } from "./devices.ts";

/**
 * Adds a taint to all devices that match, in addition to the taints that drivers set. Use it to take devices out of
 * service without access to their driver.
 */
export interface DeviceTaintRule extends ClusterScoped {
  /** Desired state of the DeviceTaintRule: the taint and the devices that get it. It may be changed at any time. */
  spec: DeviceTaintRuleSpec;
}

/** Taint and the devices that get it. */
export interface DeviceTaintRuleSpec {
  /** Devices that get the taint. An empty selector (`{}`) matches all devices; unset matches none. */
  deviceSelector?: DeviceTaintSelector;
  /** Taint that the devices get. */
  taint: DeviceTaint;
}

/** Selects devices that match all fields that are set. Without any, it selects all devices. */
export interface DeviceTaintSelector {
  /** Name of a DeviceClass: matches the devices that satisfy its selectors. */
  deviceClassName?: string;
  /** Name of a driver: matches the devices that it offers. */
  driver?: string;
  /**
   * Name of a pool: matches its devices. Pools of different drivers may have the same name, so set `driver` as well.
   */
  pool?: string;
  /** Name of a device in its pool. Set `driver` and `pool` as well to match a single device. */
  device?: string;
  /** Conditions that a device must all satisfy. At most 32. Without any, all devices match. */
  selectors?: ListAtomic<DeviceSelector>;
}

export const deviceTaintRule = kind<DeviceTaintRule>({
  plural: "devicetaintrules",
  returnsDeleted: true,
  generation: true,
  introduced: "1.33",
  deprecated: "1.36",
  removed: "1.39",
  offByDefault: true,
  columns: [
    {
      name: "Name",
      type: "string",
      format: "name",
      path: ".metadata.name",
      description: "Name of the DeviceTaintRule.",
    },
    { name: "Key", type: "string", path: ".spec.taint.key", description: "Key of the taint." },
    { name: "Value", type: "string", path: ".spec.taint.value", description: "Value of the taint." },
    { name: "Effect", type: "string", path: ".spec.taint.effect", description: "Effect of the taint." },
    { name: "TimeAdded", type: "string", description: "Time since the taint was added." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since the DeviceTaintRule was created.",
    },
  ],
});
