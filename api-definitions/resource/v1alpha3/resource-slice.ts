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

/**
 * Devices of one pool that a driver offers, from which the scheduler allocates ResourceClaims. Drivers create and
 * update slices; a pool with many devices has several. Users read them to see which devices exist.
 */
export interface ResourceSlice extends ClusterScoped {
  /**
   * Desired state of the ResourceSlice: the devices that the driver offers and the nodes where they can be used. To
   * change a pool, the driver updates all its slices with a higher `pool.generation`.
   */
  spec: ResourceSliceSpec;
}

/**
 * Devices of a pool and the nodes where they can be used. Exactly one of `nodeName`, `nodeSelector`, `allNodes` and
 * `perDeviceNodeSelection` must be set.
 */
export interface ResourceSliceSpec {
  /**
   * Name of the driver that offers the devices: a DNS subdomain of at most 63 characters that belongs to the vendor,
   * such as `gpu.example.com`.
   */
  driver: string & Immutable;
  /** Pool that the devices belong to. Its name cannot be changed after creation. */
  pool: ResourcePool;
  /** Name of the only node where the devices can be used. Usable in field selectors. */
  nodeName?: string & OmitZero & Immutable;
  /** Nodes where the devices can be used, if there are several. Must have exactly one term. */
  nodeSelector?: NodeSelector;
  /** `true` if the devices can be used on every node. Must be `true` or unset. */
  allNodes?: boolean & OmitZero;
  /**
   * Devices that the slice offers, at most 128. Names must be unique. Together they may draw on at most 1024 shared
   * counters.
   */
  devices?: ListAtomic<Device> & Always;
  /**
   * `true` if each device names its own nodes, by `nodeName`, `nodeSelector` or `allNodes`. Must be `true` or unset.
   */
  perDeviceNodeSelection?: boolean & Gated<"DRAPartitionableDevices">;
  /**
   * Counters that devices of the slice share, such as the memory of a GPU that can be partitioned. At most 32 counters
   * in all sets. Names of sets must be unique.
   */
  sharedCounters?: ListAtomic<CounterSet> & Gated<"DRAPartitionableDevices">;
}

/** Pool of devices of one driver. It consists of all slices with the same driver and pool name. */
export interface ResourcePool {
  /**
   * Name of the pool, often that of the node: at most 253 characters, one or more DNS subdomains separated by slashes.
   * Required. Cannot be changed after creation.
   */
  name: string;
  /**
   * Number of the state of the pool, which the driver increases with each change. Slices with a lower number than the
   * highest one in the pool are outdated and ignored. Must not be negative.
   */
  generation: Int64;
  /**
   * Number of slices that the pool has in this generation. The scheduler does not allocate from a pool of which slices
   * are missing. Must be greater than 0.
   */
  resourceSliceCount: Int64;
}

/** Device that can be allocated, with what selectors can ask about it. */
export interface Device {
  /** Name of the device, unique in its pool. Must be a DNS label. */
  name: string;
  /** Attributes, capacity and nodes of the device. Defaults to an empty object. */
  basic?: BasicDevice;
}

/** Attributes, capacity and nodes of a device. It may have at most 32 attributes and capacities together. */
export interface BasicDevice {
  /**
   * Attributes that selectors and constraints can use, by name. A name is a C identifier of at most 32 characters,
   * optionally after a domain and a slash, such as `gpu.example.com/model`; without a domain it belongs to the driver.
   */
  attributes?: Record<string, DeviceAttribute>;
  /**
   * Capacities that selectors can use, as quantities by name, such as `40Gi`. Names have the same form as those of
   * attributes.
   */
  capacity?: Record<string, Quantity>;
  /** What the device draws from shared counters of the slice while it is allocated. Sets must be unique. */
  consumesCounters?: ListAtomic<DeviceCounterConsumption> & Gated<"DRAPartitionableDevices">;
  /**
   * Name of the only node where the device can be used. Exactly one of `nodeName`, `nodeSelector` and `allNodes` must
   * be set if `perDeviceNodeSelection` is `true`; none is allowed otherwise.
   */
  nodeName?: string & Gated<"DRAPartitionableDevices">;
  /**
   * Nodes where the device can be used. Only allowed if `perDeviceNodeSelection` is `true`; excludes `nodeName` and
   * `allNodes`.
   */
  nodeSelector?: NodeSelector & Gated<"DRAPartitionableDevices">;
  /**
   * `true` if the device can be used on every node. Must be `true` or unset. Only allowed if `perDeviceNodeSelection`
   * is `true`; excludes `nodeName` and `nodeSelector`.
   */
  allNodes?: boolean & Gated<"DRAPartitionableDevices">;
  /** Taints of the device, set by the driver, at most 4. They keep away claims that do not tolerate them. */
  taints?: ListAtomic<DeviceTaint> & Gated<"DRADeviceTaints">;
}

/** Value of an attribute of a device. Exactly one field must be set, which also is the type. */
export interface DeviceAttribute {
  /** Value as a number, if the attribute is an integer. */
  int?: Int64;
  /** Value as `true` or `false`, if the attribute is a boolean. */
  bool?: boolean;
  /** Value as a string of at most 64 characters. */
  string?: string;
  /**
   * Value as a semantic version (semver.org 2.0.0), such as `1.2.3`, which expressions can compare. At most 64
   * characters.
   */
  version?: string;
}

/** What a device draws from a set of shared counters while it is allocated. */
export interface DeviceCounterConsumption {
  /** Name of the set in `spec.sharedCounters` of the slice. Required, and unique in the device. */
  counterSet: string;
  /**
   * Quantities that the device draws, by the name of the counter. At least one is required, and each must exist in the
   * set. A device may draw on at most 32 counters.
   */
  counters: Record<string, Counter> & OmitZero;
}

/** Quantity of a counter, such as memory that devices share. */
export interface Counter {
  /** Quantity that is available, or that a device draws. */
  value: Quantity;
}

/**
 * Named set of counters that devices of a slice share. The scheduler allocates a device only if every counter has
 * enough left.
 */
export interface CounterSet {
  /** Name of the set, unique in the slice. Must be a DNS label. */
  name: string;
  /** Available quantities, by the name of the counter. Names must be DNS labels. At least one is required. */
  counters: Record<string, Counter> & OmitZero;
}

export const resourceSlice = kind<ResourceSlice>({
  plural: "resourceslices",
  returnsDeleted: true,
  generation: true,
  introduced: "1.31",
  deprecated: "1.34",
  removed: "1.37",
  replacement: "resource.<domain>/v1beta1 ResourceSlice",
  offByDefault: true,
  selectableFields: ["spec.nodeName", "spec.driver"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the ResourceSlice." },
    {
      name: "Node",
      type: "string",
      path: ".spec.nodeName",
      description: "Node where the devices can be used, if it is a single one.",
    },
    { name: "Driver", type: "string", path: ".spec.driver", description: "Driver that offers the devices." },
    { name: "Pool", type: "string", path: ".spec.pool.name", description: "Pool that the devices belong to." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since the ResourceSlice was created.",
    },
  ],
});
