/**
 * The shape of an API's types, as the generator writes it (`generated/types/<group>.<version>.json`) and as the schema compilers of the runtime
 * read it. Custom kinds are converted to the same shape, so there is one implementation of decoding, defaults, validation, encoding,
 * conversion and merging.
 */
export type JsonValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type ScalarName =
  | "string"
  | "boolean"
  | "int32"
  | "int64"
  | "double"
  | "bytes"
  | "time"
  | "microTime"
  | "duration"
  | "quantity"
  | "intOrString"
  /** An object of any kind; any JSON value; a set of owned fields; the three types of apiextensions that are a schema or another value. */
  | "rawObject"
  | "json"
  | "fieldsV1"
  | "schemaOrArray"
  | "schemaOrBool"
  | "schemaOrStringArray";

/** A scalar, a named type (`core/v1.PodSpec`, recognized by its slash or dot), a list, or a map with string keys. */
export type TypeExpr = ScalarName | TypeRef | { readonly list: TypeExpr } | { readonly map: TypeExpr };
export type TypeRef = `${string}.${string}`;

export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** Markers of a field or of a named type. */
export interface Markers {
  readonly listType?: "atomic" | "set" | "map";
  readonly listMapKeys?: readonly string[];
  readonly mapType?: "atomic" | "granular";
  readonly patchStrategy?: readonly ("merge" | "replace" | "retainKeys")[];
  readonly patchMergeKey?: string;
  readonly default?: JsonValue;
  /** Known values. If `closed`, other values are rejected. */
  readonly enum?: readonly string[];
  readonly closed?: true;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** Keywords of a JSON schema that are not listed here. */
  readonly schema?: { readonly [keyword: string]: JsonValue };
  readonly immutable?: true;
  readonly rules?: readonly ValidationRule[];
  readonly preserveUnknown?: true;
  readonly embeddedObject?: true;
  /** Set on the field that names which of the struct's optional fields is set (`x-<vendor>-unions`). */
  readonly discriminator?: true;
  /** The feature gates on which it depends. `A,B` means at least one of them. */
  readonly gate?: string;
  /** The release that introduced it. Absent if it is the release that introduced its kind. */
  readonly since?: string;
  readonly deprecated?: string | true;
}

export interface Field extends Markers {
  /** The key in JSON. Empty for an inlined struct, whose fields are on the same level as the parent's. */
  readonly name: string;
  readonly type: TypeExpr;
  readonly required?: true;
  /** Whether unset differs from zero (a pointer in Go): protobuf contains the field only if it is set, JSON keeps an explicit zero. */
  readonly tracked?: true;
  /** Whether JSON contains the field even if it is empty or unset (without omitempty in Go, or a struct by value). */
  readonly always?: true;
  /** Field number in protobuf. Absent for types without a protobuf encoding (configuration files). */
  readonly number?: number;
  /** Field name in protobuf when it differs from `name`. */
  readonly protoName?: string;
}

/** A struct. Fields are in the order in which they are written. */
export interface StructType extends Markers {
  readonly fields: readonly Field[];
}

/** A named type that is not a struct: an enumeration of strings, a named list or map. Lists with `message` are encoded as a protobuf message. */
export interface NamedType extends Markers {
  readonly is: TypeExpr;
  readonly message?: true;
}

export type TypeDefinition = StructType | NamedType;

/** All named types of one group and version, by short name. References have the form `<module>.<Name>`. */
export interface TypeModule {
  /** The prefix of references into this module: `core/v1`, `meta/v1`, `resource`. */
  readonly module: string;
  /** The API group, including the domain. Absent for shared types without a group. */
  readonly group?: string;
  readonly version?: string;
  readonly protoPackage?: string;
  /** Prefix of OpenAPI definition names: `io.k8s.api.apps.v1`. */
  readonly openapiPrefix?: string;
  readonly types: { readonly [name: string]: TypeDefinition };
}

/** Loads type modules on demand. The composition root implements it with the generated files. */
export interface TypeSource {
  module(name: string): TypeModule;
}
