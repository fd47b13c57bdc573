import type { NodeSelector } from "../../core/v1/scheduling.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Gated,
  type Immutable,
  type Int64,
  kind,
  type ListAtomic,
  type OmitZero,
  type Quantity,
} from "../../vocabulary.ts";
import type { DeviceTaint } from "./devices.ts";

/** Devices that a driver offers. */
export interface ResourceSlice extends ClusterScoped {
  /** What is asked for. */
  spec: ResourceSliceSpec;
}

export interface ResourceSliceSpec {
  driver: string & Immutable;
  pool: ResourcePool;
  nodeName?: string & Immutable;
  nodeSelector?: NodeSelector;
  allNodes?: boolean;
  devices?: ListAtomic<Device> & Always;
  perDeviceNodeSelection?: boolean & Gated<"DRAPartitionableDevices">;
  sharedCounters?: ListAtomic<CounterSet> & Gated<"DRAPartitionableDevices">;
}

export interface ResourcePool {
  name: string;
  generation: Int64;
  resourceSliceCount: Int64;
}

export interface Device {
  name: string;
  attributes?: Record<string, DeviceAttribute>;
  capacity?: Record<string, DeviceCapacity>;
  consumesCounters?: ListAtomic<DeviceCounterConsumption> & Gated<"DRAPartitionableDevices">;
  nodeName?: string & Gated<"DRAPartitionableDevices">;
  nodeSelector?: NodeSelector & Gated<"DRAPartitionableDevices">;
  allNodes?: boolean & Gated<"DRAPartitionableDevices">;
  taints?: ListAtomic<DeviceTaint> & Gated<"DRADeviceTaints">;
}

export interface DeviceAttribute {
  int?: Int64;
  bool?: boolean;
  string?: string;
  version?: string;
}

export interface DeviceCapacity {
  value: Quantity;
}

export interface DeviceCounterConsumption {
  counterSet: string;
  counters: Record<string, Counter> & OmitZero;
}

export interface Counter {
  value: Quantity;
}

export interface CounterSet {
  name: string;
  counters: Record<string, Counter> & OmitZero;
}

export const resourceSlice = kind<ResourceSlice>({
  plural: "resourceslices",
  introduced: "1.33",
  deprecated: "1.36",
  removed: "1.39",
  offByDefault: true,
  selectableFields: ["spec.nodeName", "spec.driver"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Node", type: "string", path: ".spec.nodeName", description: "The node." },
    { name: "Driver", type: "string", path: ".spec.driver", description: "The driver." },
    { name: "Pool", type: "string", path: ".spec.pool.name", description: "Pool of the devices." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "How long ago the object was created.",
    },
  ],
});
