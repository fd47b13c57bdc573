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

/**
 * A request to rewrite all stored objects of a resource in the current storage version, and with the current
 * encryption. Create one after an upgrade or after the encryption keys changed. The storage version migrator carries it
 * out.
 */
export interface StorageVersionMigration extends ClusterScoped {
  /** Desired state of the StorageVersionMigration. */
  spec?: StorageVersionMigrationSpec & Always;
  /**
   * Observed state of the StorageVersionMigration, set by the storage version migrator: whether it is running,
   * succeeded or failed.
   */
  status?: StorageVersionMigrationStatus & Always;
}

/** Resource that a StorageVersionMigration rewrites. */
export interface StorageVersionMigrationSpec {
  /** Resource whose objects are migrated. Cannot be changed after creation. */
  resource: GroupVersionResource;
  /**
   * Token of the list request at which the migration continues. Set by the migrator; empty means that it starts from
   * the beginning.
   */
  continueToken?: string & OmitZero;
}

/** Group, version and name of a resource. */
export interface GroupVersionResource {
  /** API group of the resource, such as `apps`. Empty for the core group. */
  group?: string & OmitZero;
  /** API version through which the migrator reads and writes the objects, such as `v1`. Required. */
  version?: string & OmitZero;
  /** Plural name of the resource, such as `deployments`. Required. */
  resource?: string & OmitZero;
}

/** Observed state of a StorageVersionMigration, set by the storage version migrator. */
export interface StorageVersionMigrationStatus {
  /**
   * Observed conditions of the migration. `Running`, `Succeeded` and `Failed` exclude each other, and the latter two
   * are final.
   */
  conditions?: ListMap<MigrationCondition, "type"> & PatchMerge<"type">;
  /**
   * Resource version of the resource when the migrator first observed this object, as a number. Objects that are
   * written later are in the current storage version anyway. Cannot be changed once set.
   */
  resourceVersion?: string & OmitZero;
}

/** One aspect of a migration's observed state, such as whether it succeeded. */
export interface MigrationCondition {
  /** Type of the condition, such as `Succeeded`. */
  type: MigrationConditionType;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Time at which the condition was last updated. */
  lastUpdateTime?: Time & Always;
  /** Machine-readable reason of the last transition, in CamelCase. */
  reason?: string & OmitZero;
  /** Human-readable details of the last transition. */
  message?: string & OmitZero;
}

export type MigrationConditionType = Open<
  /** The migration is in progress. */
  | "Running"
  /** All objects are rewritten. */
  | "Succeeded"
  /** The migration failed and is not retried. */
  | "Failed"
>;

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
    { name: "Resource", type: "string", description: "Resource whose objects are migrated." },
  ],
});
