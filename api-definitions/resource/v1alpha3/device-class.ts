import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic } from "../../vocabulary.ts";
import type { DeviceConfiguration, DeviceSelector } from "./devices.ts";

/**
 * Preset for requests of devices, such as "GPU with at least 16Gi", made by an administrator. It selects devices and
 * adds configuration for their drivers; every request in a ResourceClaim refers to a class by name.
 */
export interface DeviceClass extends ClusterScoped {
  /**
   * Desired state of the DeviceClass: which devices belong to it, and how they are configured. It may be changed at any
   * time; claims that are already allocated keep their devices.
   */
  spec: DeviceClassSpec;
}

/** Devices of a class and the configuration for their drivers. */
export interface DeviceClassSpec {
  /**
   * Conditions that a device must all satisfy to belong to the class. At most 32. Without any, every device belongs to
   * it.
   */
  selectors?: ListAtomic<DeviceSelector>;
  /**
   * Configuration for drivers that applies to every device allocated through this class. At most 32 entries. Drivers
   * ignore entries of other drivers.
   */
  config?: ListAtomic<DeviceClassConfiguration>;
}

/** Configuration for a driver, set in a DeviceClass. */
export interface DeviceClassConfiguration extends DeviceConfiguration {}

export const deviceClass = kind<DeviceClass>({
  plural: "deviceclasses",
  returnsDeleted: true,
  generation: true,
  introduced: "1.31",
  deprecated: "1.34",
  removed: "1.37",
  replacement: "resource.<domain>/v1beta1 DeviceClass",
  offByDefault: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the DeviceClass." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since the DeviceClass was created.",
    },
  ],
});
