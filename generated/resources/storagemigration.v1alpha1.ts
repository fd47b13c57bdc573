// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { storageVersionMigration as defineStorageVersionMigration, type StorageVersionMigration } from "../../api-definitions/storagemigration/v1alpha1/storage-version-migration.ts";

/** A request to rewrite all stored objects of a resource in the current storage version, and with the current encryption. Create one after an upgrade or after the encryption keys changed. The storage version migrator carries it out. */
export const storageversionmigrations = resourceToken<StorageVersionMigration>({
  group: "storagemigration.k8s.io",
  version: "v1alpha1",
  kind: "StorageVersionMigration",
  resource: "storageversionmigrations",
  namespaced: false,
}, defineStorageVersionMigration);
