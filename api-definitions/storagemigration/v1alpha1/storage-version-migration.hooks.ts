import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { keepMetadataOnStatus } from "../../meta/v1/status-metadata.ts";
import type { StorageVersionMigration } from "./storage-version-migration.ts";
import {
  validateMigration,
  validateMigrationChange,
  validateMigrationStatus,
} from "./storage-version-migration-validation.ts";

export const hooks = kindHooks<StorageVersionMigration>({
  validate: validateMigration,
  cells: ({ spec }) => {
    const { resource = "", version = "", group = "" } = spec?.resource ?? {};
    return { Resource: `${resource}.${version}.${group}` };
  },
  validation: {
    update: (migration, old) => [...validateMigration(migration), ...validateMigrationChange(migration, old)],
    subresources: { status: ({ status = {} }, old) => validateMigrationStatus(status, old.status ?? {}) },
  },
  lifecycle: {
    prepareForUpdate: keepMetadataOnStatus,
    resetFields: { "": ["status"], status: ["metadata", "spec"] },
  },
});
