/**
 * What an expression needs to know of the values it is about: the shape of a schema, whatever it is written in.
 * Objects are described property by property on demand, so recursive types need no special care.
 */
export type CelSchema = ObjectSchema | MapSchema | ListSchema | StringSchema | PlainSchema;

interface SchemaBase {
  /** Filled in by the server when absent, so it never makes an object larger than its sender wrote it. */
  readonly hasDefault?: boolean;
  readonly nullable?: boolean;
}

export interface ObjectSchema extends SchemaBase {
  readonly kind: "object";
  /** A name that identifies the type; two objects of one name are one type. */
  readonly name?: string;
  property(jsonName: string): CelSchema | undefined;
  propertyNames(): Iterable<string>;
  readonly required?: readonly string[];
  /** The root of a resource, or an embedded one: apiVersion, kind and metadata are always known. */
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
  /** Formats with a type of their own are values of that type in expressions. */
  readonly format?: "byte" | "date" | "date-time" | "duration" | (string & {});
  readonly maxLength?: number;
  readonly enum?: readonly string[];
}

export interface PlainSchema extends SchemaBase {
  /** "unknown" is data without a schema; expressions cannot see it. "any" is dyn. */
  readonly kind: "boolean" | "integer" | "number" | "intOrString" | "any" | "unknown";
}
