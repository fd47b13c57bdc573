// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { customResourceDefinition as defineCustomResourceDefinition, type CustomResourceDefinition } from "../../api-definitions/apiextensions/v1beta1/custom-resource-definition.ts";

/** Adds a custom kind to the API. Once the definition is established, objects of the kind are served under `/apis/<group>/<version>` like built-in ones: with storage, validation, watches and kubectl. The name must be `<spec.names.plural>.<spec.group>`. Deleting the definition deletes all objects of the kind first. */
export const customresourcedefinitions = resourceToken<CustomResourceDefinition>({
  group: "apiextensions.k8s.io",
  version: "v1beta1",
  kind: "CustomResourceDefinition",
  resource: "customresourcedefinitions",
  namespaced: false,
}, defineCustomResourceDefinition);
