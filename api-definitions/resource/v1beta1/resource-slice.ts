import type { NodeSelector } from "../../core/v1/scheduling.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Gated,
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

/** Devices of a pool, and where they can be used. */
export interface ResourceSliceSpec {
  /** The driver that offers them; fixed for good. */
  driver: string;
  /** The pool they belong to. */
  pool: ResourcePool;
  /** On one node. */
  nodeName?: string & OmitZero;
  /** On some nodes. */
  nodeSelector?: NodeSelector;
  /** On all nodes. */
  allNodes?: boolean & OmitZero;
  /** The devices. */
  devices?: ListAtomic<Device> & Always;
  /** Each device says where. */
  perDeviceNodeSelection?: boolean & Gated<"DRAPartitionableDevices">;
  /** Counters that devices draw on. */
  sharedCounters?: ListAtomic<CounterSet> & Gated<"DRAPartitionableDevices">;
}

/** A pool of devices. */
export interface ResourcePool {
  /** Its name. */
  name: string;
  /** Counts the changes of the pool; only the newest slices count. */
  generation: Int64;
  /** How many slices the pool has. */
  resourceSliceCount: Int64;
}

/** A device. */
export interface Device {
  /** Its name in the pool. */
  name: string;
  /** What is known of it. */
  basic?: BasicDevice;
}

/** What is known of a device. */
export interface BasicDevice {
  /** What it is like. */
  attributes?: Record<string, DeviceAttribute>;
  /** How much it has. */
  capacity?: Record<string, DeviceCapacity>;
  /** What it draws from shared counters. */
  consumesCounters?: ListAtomic<DeviceCounterConsumption> & Gated<"DRAPartitionableDevices">;
  /** On one node. */
  nodeName?: string & Gated<"DRAPartitionableDevices">;
  /** On some nodes. */
  nodeSelector?: NodeSelector & Gated<"DRAPartitionableDevices">;
  /** On all nodes. */
  allNodes?: boolean & Gated<"DRAPartitionableDevices">;
  /** Marks that keep claims away. */
  taints?: ListAtomic<DeviceTaint> & Gated<"DRADeviceTaints">;
}

/** Something a device is like; one of the four. */
export interface DeviceAttribute {
  /** A number. */
  int?: Int64;
  /** True or false. */
  bool?: boolean;
  /** A text. */
  string?: string;
  /** A version. */
  version?: string;
}

/** How much a device has of something. */
export interface DeviceCapacity {
  /** How much. */
  value: Quantity;
}

/** What a device draws from a set of counters. */
export interface DeviceCounterConsumption {
  /** The set. */
  counterSet: string;
  /** How much of which. */
  counters: Record<string, Counter> & OmitZero;
}

/** An amount that devices share. */
export interface Counter {
  /** How much there is. */
  value: Quantity;
}

/** Amounts that devices share. */
export interface CounterSet {
  /** Name of the set. */
  name: string;
  /** The amounts. */
  counters: Record<string, Counter> & OmitZero;
}

export const resourceSlice = kind<ResourceSlice>({
  plural: "resourceslices",
  generation: true,
  introduced: "1.32",
  deprecated: "1.35",
  removed: "1.38",
  offByDefault: true,
  storage: true,
  selectableFields: ["spec.nodeName", "spec.driver"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Node", type: "string", path: ".spec.nodeName", description: "The node." },
    { name: "Driver", type: "string", path: ".spec.driver", description: "The driver." },
    { name: "Pool", type: "string", path: ".spec.pool.name", description: "Pool of the devices." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
