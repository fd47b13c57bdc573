import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type EmptyStruct,
  type Int64,
  kind,
  type ListMap,
  type ListSet,
  type OmitZero,
  type Open,
  type OptionalKeys,
  type Since,
  type Time,
} from "../../vocabulary.ts";

/**
 * Versions in which the API servers of the cluster store a resource and can read it. Its name is `<group>.<resource>`.
 * API servers and controllers use it to tell when a migration is safe; users do not write it.
 */
export interface StorageVersion extends ClusterScoped {
  /** Desired state of the StorageVersion. Always empty. */
  spec: StorageVersionSpec;
  /** Observed state of the StorageVersion, set by the API servers: the versions that each of them supports. */
  status: StorageVersionStatus;
}

/** Desired state of a StorageVersion. It has no fields. */
export type StorageVersionSpec = EmptyStruct;

/** Observed state of a StorageVersion: what each API server stores and can read. */
export interface StorageVersionStatus {
  /** Versions by API server. Each server adds and updates its own entry. */
  storageVersions?: ListMap<ServerStorageVersion, "apiServerID"> & OptionalKeys;
  /** Version in which all servers store the resource. Set if and only if all of them agree. */
  commonEncodingVersion?: string;
  /** Observed conditions of the resource's storage, such as whether the servers agree. */
  conditions?: ListMap<StorageVersionCondition, "type">;
}

/**
 * Versions in which one API server stores and can read a resource. Versions are written like `apiVersion`, such as
 * `apps/v1`.
 */
export interface ServerStorageVersion {
  /** Identifier of the API server that reports the entry, unique in the list. Must be a DNS subdomain. */
  apiServerID?: string & OmitZero;
  /** Version in which the server stores the resource. Must be in `decodableVersions`. */
  encodingVersion?: string & OmitZero;
  /** Versions that the server can read from the store. */
  decodableVersions?: ListSet<string>;
  /** Versions that the server serves to clients. All of them must be in `decodableVersions`. */
  servedVersions?: ListSet<string> & Since<"1.28">;
}

/** One aspect of a StorageVersion's observed state. */
export interface StorageVersionCondition {
  /** Type of the condition, such as `AllEncodingVersionsEqual`. */
  type: StorageVersionConditionType;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /**
   * Value of `metadata.generation` that the condition is based on. If it is less than the current one, the condition is
   * out of date.
   */
  observedGeneration?: Int64 & OmitZero;
  /** Time at which `status` last changed. */
  lastTransitionTime?: Time & Always;
  /** Machine-readable reason of the last transition, in CamelCase. */
  reason: string;
  /** Human-readable details of the last transition. */
  message: string & OmitZero;
}

export type StorageVersionConditionType = Open<
  /** All servers store the resource in the same version. */
  "AllEncodingVersionsEqual"
>;

export type ConditionStatus = Open<"True" | "False" | "Unknown">;

export const storageVersion = kind<StorageVersion>({
  plural: "storageversions",
  generation: false,
  conditionalUpdate: true,
  offByDefault: true,
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "CommonEncodingVersion", type: "string", description: "Version in which all servers store the resource." },
    { name: "StorageVersions", type: "string", description: "Version in which each server stores the resource." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
