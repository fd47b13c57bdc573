import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic } from "../../vocabulary.ts";
import type { DeviceConfiguration, DeviceSelector } from "./devices.ts";

/** A sort of devices, with what they have in common. */
export interface DeviceClass extends ClusterScoped {
  /** What is asked for. */
  spec: DeviceClassSpec;
}

/** What the devices of a class have in common. */
export interface DeviceClassSpec {
  /** Which devices; all must hold. */
  selectors?: ListAtomic<DeviceSelector>;
  /** Settings for their drivers. */
  config?: ListAtomic<DeviceClassConfiguration>;
}

/** Settings for a driver. */
export interface DeviceClassConfiguration extends DeviceConfiguration {}

export const deviceClass = kind<DeviceClass>({
  plural: "deviceclasses",
  generation: true,
  introduced: "1.32",
  deprecated: "1.35",
  removed: "1.38",
  offByDefault: true,
  storage: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
