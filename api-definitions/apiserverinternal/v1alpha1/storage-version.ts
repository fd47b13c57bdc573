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
  type Time,
} from "../../vocabulary.ts";

/** In which versions servers store and can read a resource. */
export interface StorageVersion extends ClusterScoped {
  /** What is asked for. */
  spec: StorageVersionSpec;
  /** What is the case, as last seen. */
  status: StorageVersionStatus;
}

export type StorageVersionSpec = EmptyStruct;

/** What the servers of a cluster store and can read. */
export interface StorageVersionStatus {
  /** One entry per server. */
  storageVersions?: ListMap<ServerStorageVersion, "apiServerID"> & OptionalKeys;
  /** The version all of them store, if they agree. */
  commonEncodingVersion?: string;
  /** Whether they agree. */
  conditions?: ListMap<StorageVersionCondition, "type">;
}

/** What one server stores and can read. */
export interface ServerStorageVersion {
  /** The server. */
  apiServerID?: string & OmitZero;
  /** The version it stores. */
  encodingVersion?: string & OmitZero;
  /** Versions it can read. */
  decodableVersions?: ListSet<string>;
  /** Versions it serves. */
  servedVersions?: ListSet<string>;
}

/** One finding about an object. */
export interface StorageVersionCondition {
  /** What the finding is about. */
  type: StorageVersionConditionType;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Generation of the object that was looked at. */
  observedGeneration?: Int64 & OmitZero;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
  /** A word for the cause. */
  reason: string;
  /** The cause, for people. */
  message: string & OmitZero;
}

export type StorageVersionConditionType = Open<"AllEncodingVersionsEqual">;

export type ConditionStatus = Open<"True" | "False" | "Unknown">;

export const storageVersion = kind<StorageVersion>({
  plural: "storageversions",
  generation: false,
  conditionalUpdate: true,
  offByDefault: true,
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "CommonEncodingVersion", type: "string", description: "The version all servers store." },
    { name: "StorageVersions", type: "string", description: "Versions the servers store." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
