// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { storageVersion as defineStorageVersion, type StorageVersion } from "../../api-definitions/apiserverinternal/v1alpha1/storage-version.ts";

/** Versions in which the API servers of the cluster store a resource and can read it. Its name is `<group>.<resource>`. API servers and controllers use it to tell when a migration is safe; users do not write it. */
export const storageversions = resourceToken<StorageVersion>({
  group: "internal.apiserver.k8s.io",
  version: "v1alpha1",
  kind: "StorageVersion",
  resource: "storageversions",
  namespaced: false,
}, defineStorageVersion);
