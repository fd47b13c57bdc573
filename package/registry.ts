/** `typeplane/registry`: what the generated files of a project import. */

export type { ConversionDeclaration } from "../api-definitions/conversion-vocabulary.ts";
export type { ApiRegistry } from "../runtime/contract/api-registry.ts";
export type { KindHooks } from "../runtime/contract/kind-hooks.ts";
export { resourceToken } from "../runtime/contract/resource-token.ts";
export type { GroupVersionResource } from "../runtime/contract/served-versions.ts";
export type { TypeRef } from "../runtime/contract/type-table.ts";
export { createRegistry } from "../runtime/registry/create-registry.ts";
