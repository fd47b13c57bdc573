// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { CustomResourceDefinition } from "../../api-definitions/apiextensions/v1/custom-resource-definition.ts";

/** Adds a kind to the API. */
export const customresourcedefinitions = resourceToken<CustomResourceDefinition>({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  resource: "customresourcedefinitions",
  namespaced: false,
});
