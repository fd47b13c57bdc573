/**
 * The shape of an API's types as the generator writes them (`generated/types/<group>.<version>.json`) and the schema
 * compilers of the runtime read them. Custom kinds are turned into the same shape, so there is one way to decode,
 * default, validate, encode, convert and merge.
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
  /** a whole object of any kind; any JSON value; an owned-fields set; the three schema-or-other types of apiextensions */
  | "rawObject"
  | "json"
  | "fieldsV1"
  | "schemaOrArray"
  | "schemaOrBool"
  | "schemaOrStringArray";

/** A scalar, a named type (`core/v1.PodSpec`, recognised by its slash or dot), a list, or a map with string keys. */
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

/** Markers of a value, on a field or on a named type. */
export interface Markers {
  readonly listType?: "atomic" | "set" | "map";
  readonly listMapKeys?: readonly string[];
  readonly mapType?: "atomic" | "granular";
  readonly patchStrategy?: readonly ("merge" | "replace" | "retainKeys")[];
  readonly patchMergeKey?: string;
  readonly default?: JsonValue;
  /** Well-known values; only those are accepted when `closed`. */
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
  /** Keywords of a JSON schema besides the others here. */
  readonly schema?: { readonly [keyword: string]: JsonValue };
  readonly immutable?: true;
  readonly rules?: readonly ValidationRule[];
  readonly preserveUnknown?: true;
  readonly embeddedObject?: true;
  /** On a field: says which of the struct's optional fields is set (`x-<vendor>-unions`). */
  readonly discriminator?: true;
  /** The feature gate it depends on; "A,B" means either. */
  readonly gate?: string;
  /** The release that introduced it; absent if that is the release of its kind. */
  readonly since?: string;
  readonly deprecated?: string | true;
}

export interface Field extends Markers {
  /** The key in JSON. Empty for an inlined struct: its fields appear among the parent's. */
  readonly name: string;
  readonly type: TypeExpr;
  readonly required?: true;
  /** Unset differs from zero (a pointer in Go): protobuf writes it only when set, JSON keeps an explicit zero. */
  readonly tracked?: true;
  /** JSON writes it even when it is empty or unset (no omitempty in Go, or a struct by value). */
  readonly always?: true;
  /** Field number in protobuf; absent for types with no wire form (configuration files). */
  readonly number?: number;
  /** Field name in protobuf when it differs from `name`. */
  readonly protoName?: string;
}

/** A struct: fields in the order they are written. */
export interface StructType extends Markers {
  readonly fields: readonly Field[];
}

/** A named type that is not a struct: an enum of strings, a named list or map. `message` lists travel as a message. */
export interface NamedType extends Markers {
  readonly is: TypeExpr;
  readonly message?: true;
}

export type TypeDefinition = StructType | NamedType;

/** All named types of one group-version, keyed by their short name. References use `<module>.<Name>` with module as below. */
export interface TypeModule {
  /** The prefix of references into this module: `core/v1`, `meta/v1`, `resource`. */
  readonly module: string;
  /** The API group, domain filled in; absent for shared types without one. */
  readonly group?: string;
  readonly version?: string;
  readonly protoPackage?: string;
  /** Prefix of OpenAPI definition names: `io.k8s.api.apps.v1`. */
  readonly openapiPrefix?: string;
  readonly types: { readonly [name: string]: TypeDefinition };
}

/** Finds type modules on demand; the composition root backs it with the generated files. */
export interface TypeSource {
  module(name: string): TypeModule;
}
