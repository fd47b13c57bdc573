// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { StorageVersion } from "../../api-definitions/apiserverinternal/v1alpha1/storage-version.ts";

/** In which versions servers store and can read a resource. */
export const storageversions = resourceToken<StorageVersion>({
  group: "internal.apiserver.k8s.io",
  version: "v1alpha1",
  kind: "StorageVersion",
  resource: "storageversions",
  namespaced: false,
});
