import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic } from "../../vocabulary.ts";
import type { DeviceSelector, DeviceTaint } from "./devices.ts";

export interface DeviceTaintRule extends ClusterScoped {
  spec: DeviceTaintRuleSpec;
}

export interface DeviceTaintRuleSpec {
  deviceSelector?: DeviceTaintSelector;
  taint: DeviceTaint;
}

export interface DeviceTaintSelector {
  deviceClassName?: string;
  driver?: string;
  pool?: string;
  device?: string;
  selectors?: ListAtomic<DeviceSelector>;
}

export const deviceTaintRule = kind<DeviceTaintRule>({
  plural: "devicetaintrules",
  introduced: "1.33",
  deprecated: "1.36",
  removed: "1.39",
  offByDefault: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Key", type: "string", path: ".spec.taint.key" },
    { name: "Value", type: "string", path: ".spec.taint.value" },
    { name: "Effect", type: "string", path: ".spec.taint.effect" },
    { name: "TimeAdded", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
