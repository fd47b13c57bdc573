/** The only import of the runtime's contract: types only, so that nothing of the runtime is ever loaded. */
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
