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

export interface StorageVersion extends ClusterScoped {
  spec: StorageVersionSpec;
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
  type: StorageVersionConditionType;
  status: ConditionStatus;
  observedGeneration?: Int64 & OmitZero;
  lastTransitionTime?: Time & Always;
  reason: string;
  message: string & OmitZero;
}

export type StorageVersionConditionType = Open<"AllEncodingVersionsEqual">;

export type ConditionStatus = Open<"True" | "False" | "Unknown">;

export const storageVersion = kind<StorageVersion>({
  plural: "storageversions",
  offByDefault: true,
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "CommonEncodingVersion", type: "string" },
    { name: "StorageVersions", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
