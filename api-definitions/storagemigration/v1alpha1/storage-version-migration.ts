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

/** Rewrites the stored objects of a resource in its current version. */
export interface StorageVersionMigration extends ClusterScoped {
  /** What is asked for. */
  spec?: StorageVersionMigrationSpec & Always;
  /** What is the case, as last seen. */
  status?: StorageVersionMigrationStatus & Always;
}

/** What is rewritten. */
export interface StorageVersionMigrationSpec {
  /** The resource. */
  resource: GroupVersionResource;
  /** Where to go on. */
  continueToken?: string & OmitZero;
}

/** A resource. */
export interface GroupVersionResource {
  /** Its group. */
  group?: string & OmitZero;
  /** Its version. */
  version?: string & OmitZero;
  /** Its plural name. */
  resource?: string & OmitZero;
}

/** How far it is. */
export interface StorageVersionMigrationStatus {
  /** Whether it is running, done or failed. */
  conditions?: ListMap<MigrationCondition, "type"> & PatchMerge<"type">;
  /** The moment up to which everything is rewritten. */
  resourceVersion?: string & OmitZero;
}

/** One finding about an object. */
export interface MigrationCondition {
  /** What the finding is about. */
  type: MigrationConditionType;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** When the finding was last updated. */
  lastUpdateTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
  message?: string & OmitZero;
}

export type MigrationConditionType = Open<"Running" | "Succeeded" | "Failed">;

export const storageVersionMigration = kind<StorageVersionMigration>({
  plural: "storageversionmigrations",
  generation: false,
  conditionalUpdate: true,
  introduced: "1.30",
  deprecated: "1.33",
  removed: "1.36",
  offByDefault: true,
  gate: "StorageVersionMigrator",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", path: ".metadata.name", description: "Name of the object." },
    { name: "Resource", type: "string", description: "The resource." },
  ],
});
