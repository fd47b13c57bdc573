import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { keepMetadataOnStatus } from "../../meta/v1/status-metadata.ts";
import type { StorageVersionMigration } from "./storage-version-migration.ts";
import {
  validateMigration,
  validateMigrationChange,
  validateMigrationStatus,
} from "./storage-version-migration-validation.ts";

export const hooks = hooksFor<StorageVersionMigration>({
  prepareForUpdate: keepMetadataOnStatus,
  resetFields: { "": ["status"], status: ["metadata", "spec"] },
  validate: validateMigration,
  validateUpdate: (migration, old) => [...validateMigration(migration), ...validateMigrationChange(migration, old)],
  validateSubresource: { status: ({ status = {} }, old) => validateMigrationStatus(status, old.status ?? {}) },
  cells: ({ spec }) => {
    const { resource = "", version = "", group = "" } = spec?.resource ?? {};
    return { Resource: `${resource}.${version}.${group}` };
  },
});
