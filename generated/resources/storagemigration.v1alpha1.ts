// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { StorageVersionMigration } from "../../api-definitions/storagemigration/v1alpha1/storage-version-migration.ts";

/** Rewrites the stored objects of a resource in its current version. */
export const storageversionmigrations = resourceToken<StorageVersionMigration>({
  group: "storagemigration.k8s.io",
  version: "v1alpha1",
  kind: "StorageVersionMigration",
  resource: "storageversionmigrations",
  namespaced: false,
});
