import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  kind,
  type ListMap,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Time,
} from "../../vocabulary.ts";

export interface StorageVersionMigration extends ClusterScoped {
  spec?: StorageVersionMigrationSpec & Always;
  status?: StorageVersionMigrationStatus & Always;
}

export interface StorageVersionMigrationSpec {
  resource: GroupVersionResource;
  continueToken?: string & OmitZero;
}

export interface GroupVersionResource {
  group?: string & OmitZero;
  version?: string & OmitZero;
  resource?: string & OmitZero;
}

export interface StorageVersionMigrationStatus {
  conditions?: ListMap<MigrationCondition, "type"> & PatchMerge<"type">;
  resourceVersion?: string & OmitZero;
}

export interface MigrationCondition {
  type: MigrationConditionType;
  status: ConditionStatus;
  lastUpdateTime?: Time & Always;
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export type MigrationConditionType = Open<"Running" | "Succeeded" | "Failed">;

export const storageVersionMigration = kind<StorageVersionMigration>({
  plural: "storageversionmigrations",
  introduced: "1.30",
  deprecated: "1.33",
  removed: "1.36",
  offByDefault: true,
  gate: "StorageVersionMigrator",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", path: ".metadata.name" },
    { name: "Resource", type: "string" },
  ],
});
