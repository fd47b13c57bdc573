/** The generator's only import of the runtime's contract. It imports types only, so that no code of the runtime is loaded. */
export type {
  ApiCatalogue,
  GroupVersion,
  GroupVersionKind,
  Lifecycle,
  ProjectDescriptor,
  ResourceDescriptor,
  SubresourceDescriptor,
  Verb,
} from "../../runtime/contract/resource-descriptor.ts";
export type {
  Field,
  JsonValue,
  Markers,
  NamedType,
  ScalarName,
  StructType,
  TypeDefinition,
  TypeExpr,
  TypeModule,
  TypeRef,
  ValidationRule,
} from "../../runtime/contract/type-table.ts";
