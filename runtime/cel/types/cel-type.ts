/**
 * The types of CEL as readonly data. A type made from a schema includes its size limits (for cost estimates) and list topology (for equality and
 * concatenation). Neither influences assignability.
 */
export type CelType = SimpleType | ListType | MapType | StructType | OpaqueType | TypeType | ParamType;

export type SimpleKind =
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "null"
  | "timestamp"
  | "duration"
  | "dyn"
  | "error";

/** Limits from a schema: the maximum number of elements of a value, and the minimum size of its JSON. */
export interface SizeBounds {
  readonly maxElements: number;
  readonly minSerializedSize: number;
}

interface Sized {
  readonly bounds?: SizeBounds;
}

export interface SimpleType extends Sized {
  readonly kind: SimpleKind;
  /** Set on a dyn that was declared as a value of any type. It behaves like a dyn, but cannot be iterated over. */
  readonly any?: true;
}

/** How a schema list is compared and concatenated; absent means an ordinary ordered list. */
export type ListTopology = { readonly type: "set" } | { readonly type: "map"; readonly keys: readonly string[] };

export interface ListType extends Sized {
  readonly kind: "list";
  readonly element: CelType;
  readonly topology?: ListTopology;
}

export interface MapType extends Sized {
  readonly kind: "map";
  readonly key: CelType;
  readonly value: CelType;
}

export interface StructField {
  /** Name of the property in JSON. Expressions use the escaped form. */
  readonly jsonName: string;
  /** Name in expressions, if it differs. */
  readonly escapedName?: string;
  readonly type: CelType;
  /** Whether the value may be null, which then counts as absent. */
  readonly nullable?: boolean;
}

/** An object type with named fields, which are resolved on demand, so that recursive types need no special handling. */
export interface StructType extends Sized {
  readonly kind: "struct";
  /** Name in messages, unless they show the path of the type. */
  readonly name: string;
  /** Whether the name is declared and not only descriptive. */
  readonly isNamed?: boolean;
  /** Identity of a struct type: a name, or the schema object from which it was created. */
  readonly identity: unknown;
  /** Whether a null field counts as absent: true for objects of a schema, not for objects that the server constructs. */
  readonly nullIsAbsent?: boolean;
  field(escapedName: string): StructField | undefined;
  /** Returns the declared field of a JSON property, if there is one. */
  property(jsonName: string): StructField | undefined;
  /** Every declared field. */
  fields(): Iterable<StructField>;
}

export interface OpaqueType extends Sized {
  readonly kind: "opaque";
  readonly name: string;
  readonly params: readonly CelType[];
}

export interface TypeType extends Sized {
  readonly kind: "type";
  readonly of?: CelType;
}

export interface ParamType extends Sized {
  readonly kind: "param";
  readonly name: string;
}

export const BOOL: SimpleType = { kind: "bool" };
export const INT: SimpleType = { kind: "int" };
export const UINT: SimpleType = { kind: "uint" };
export const DOUBLE: SimpleType = { kind: "double" };
export const STRING: SimpleType = { kind: "string" };
export const BYTES: SimpleType = { kind: "bytes" };
export const NULL: SimpleType = { kind: "null" };
export const TIMESTAMP: SimpleType = { kind: "timestamp" };
export const DURATION: SimpleType = { kind: "duration" };
export const DYN: SimpleType = { kind: "dyn" };
export const ANY: SimpleType = { kind: "dyn", any: true };
export const ERROR: SimpleType = { kind: "error" };
export const TYPE: TypeType = { kind: "type" };

export const listOf = (element: CelType): ListType => ({ kind: "list", element });
export const mapOf = (key: CelType, value: CelType): MapType => ({ kind: "map", key, value });
export const typeOf = (of: CelType): TypeType => ({ kind: "type", of });
export const paramOf = (name: string): ParamType => ({ kind: "param", name });
export const opaqueOf = (name: string, ...params: CelType[]): OpaqueType => ({ kind: "opaque", name, params });

const OPTIONAL_NAME = "optional_type";
export const optionalOf = (value: CelType): OpaqueType => opaqueOf(OPTIONAL_NAME, value);

export function isOptional(type: CelType): type is OpaqueType {
  return type.kind === "opaque" && type.name === OPTIONAL_NAME;
}

export function isAny(type: CelType): boolean {
  return type.kind === "dyn" && type.any === true;
}

/** The value type of an optional, or the type itself. */
export function unwrapOptional(type: CelType): CelType {
  return isOptional(type) ? (type.params[0] ?? DYN) : type;
}

/** The parameters of a type in order, for unification and cost estimates. */
export function parametersOf(type: CelType): readonly CelType[] {
  switch (type.kind) {
    case "list":
      return [type.element];
    case "map":
      return [type.key, type.value];
    case "opaque":
      return type.params;
    case "type":
      return type.of === undefined ? [] : [type.of];
    default:
      return [];
  }
}

const WRITTEN: Partial<Record<CelType["kind"], string>> = { error: "!error!" };

/** Formats a type for error messages, such as `map(string, list(int))`. */
export function formatType(type: CelType, structName = (struct: StructType) => struct.name): string {
  const format = (part: CelType) => formatType(part, structName);
  switch (type.kind) {
    case "list":
      return `list(${format(type.element)})`;
    case "map":
      return `map(${format(type.key)}, ${format(type.value)})`;
    case "struct":
      return structName(type);
    case "param":
      return type.name;
    case "opaque":
      return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(format).join(", ")})`;
    case "type":
      return type.of === undefined ? "type" : `type(${format(type.of)})`;
    default:
      return isAny(type) ? "any" : (WRITTEN[type.kind] ?? type.kind);
  }
}

const DECLARED: Partial<Record<CelType["kind"], string>> = {
  null: "null_type",
  timestamp: "google.protobuf.Timestamp",
  duration: "google.protobuf.Duration",
};

/** Formats a type for errors about the result type of an expression: by its declared name. */
export function declaredTypeName(type: CelType): string {
  if (isAny(type)) return "google.protobuf.Any";
  const name = "name" in type ? type.name : (DECLARED[type.kind] ?? type.kind);
  const params = parametersOf(type);
  return params.length === 0 ? name : `${name}(${params.map(declaredTypeName).join(", ")})`;
}

/** Structural equality of types, ignoring limits and topology from schemas. Struct types are compared by `identity`. */
export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  if (isAny(a) !== isAny(b)) return false;
  if (a.kind === "struct") return a.identity === (b as StructType).identity;
  if ("name" in a && a.name !== (b as { name?: string }).name) return false;
  const left = parametersOf(a);
  const right = parametersOf(b);
  return left.length === right.length && left.every((p, i) => sameType(p, right[i]!));
}
