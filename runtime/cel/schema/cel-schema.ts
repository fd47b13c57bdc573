/**
 * The shape of values as expressions need it, independent of the schema language. Properties of objects are resolved on demand, so recursive
 * types need no special handling.
 */
export type CelSchema = ObjectSchema | MapSchema | ListSchema | StringSchema | PlainSchema;

interface SchemaBase {
  /** Whether the server sets a default for an absent value. Absent values therefore never make the sent object larger. */
  readonly hasDefault?: boolean;
  readonly nullable?: boolean;
}

export interface ObjectSchema extends SchemaBase {
  readonly kind: "object";
  /** Identifies the type: objects with the same name have the same type. */
  readonly name?: string;
  property(jsonName: string): CelSchema | undefined;
  propertyNames(): Iterable<string>;
  readonly required?: readonly string[];
  /** Whether this is the root of a resource, or an embedded one: apiVersion, kind and metadata are always declared. */
  readonly isResource?: boolean;
}

export interface MapSchema extends SchemaBase {
  readonly kind: "map";
  readonly values: CelSchema;
  readonly maxProperties?: number;
}

export interface ListSchema extends SchemaBase {
  readonly kind: "list";
  readonly items: CelSchema;
  readonly maxItems?: number;
  readonly listType?: "atomic" | "set" | "map";
  readonly listMapKeys?: readonly string[];
}

export interface StringSchema extends SchemaBase {
  readonly kind: "string";
  /** Values of formats that have their own CEL type have that type in expressions. */
  readonly format?: "byte" | "date" | "date-time" | "duration" | (string & {});
  readonly maxLength?: number;
  readonly enum?: readonly string[];
}

export interface PlainSchema extends SchemaBase {
  /** "unknown": data without a schema, which expressions cannot access. "any": dyn. */
  readonly kind: "boolean" | "integer" | "number" | "intOrString" | "any" | "unknown";
}
