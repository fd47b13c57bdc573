import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic } from "../../vocabulary.ts";
import type { DeviceSelector, DeviceTaint } from "./devices.ts";

/** Marks devices so that claims avoid them. */
export interface DeviceTaintRule extends ClusterScoped {
  /** What is asked for. */
  spec: DeviceTaintRuleSpec;
}

/** Which devices get which taint. */
export interface DeviceTaintRuleSpec {
  /** The devices. */
  deviceSelector?: DeviceTaintSelector;
  /** The taint. */
  taint: DeviceTaint;
}

/** Devices; all that is said must hold. */
export interface DeviceTaintSelector {
  /** Those of a class. */
  deviceClassName?: string;
  /** Those of a driver. */
  driver?: string;
  /** Those of a pool. */
  pool?: string;
  /** The one with this name. */
  device?: string;
  /** Those that meet these expressions. */
  selectors?: ListAtomic<DeviceSelector>;
}

export const deviceTaintRule = kind<DeviceTaintRule>({
  plural: "devicetaintrules",
  generation: true,
  introduced: "1.33",
  deprecated: "1.36",
  removed: "1.39",
  offByDefault: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Key", type: "string", path: ".spec.taint.key", description: "Key of the taint." },
    { name: "Value", type: "string", path: ".spec.taint.value", description: "Value of the taint." },
    { name: "Effect", type: "string", path: ".spec.taint.effect", description: "What the taint does." },
    { name: "TimeAdded", type: "string", description: "How long ago the taint was put on." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
