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

export interface StorageVersionStatus {
  storageVersions?: ListMap<ServerStorageVersion, "apiServerID">;
  commonEncodingVersion?: string;
  conditions?: ListMap<StorageVersionCondition, "type">;
}

export interface ServerStorageVersion {
  apiServerID?: string & OmitZero;
  encodingVersion?: string & OmitZero;
  decodableVersions?: ListSet<string>;
  servedVersions?: ListSet<string>;
}

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
  offByDefault: true,
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "CommonEncodingVersion", type: "string", description: "The version all servers store." },
    { name: "StorageVersions", type: "string", description: "Versions the servers store." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "How long ago the object was created.",
    },
  ],
});
