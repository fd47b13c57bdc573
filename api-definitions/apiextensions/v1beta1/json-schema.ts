import type {
  Double,
  Gated,
  Int64,
  Json,
  ListAtomic,
  ListMap,
  OmitZero,
  PatchMerge,
  SchemaOrArray,
  SchemaOrBool,
  SchemaOrStringArray,
} from "../../vocabulary.ts";

/**
 * A schema: what a value may look like. What refers to another schema has a plain comment: it is published as a bare reference, as
 * Kubernetes does.
 */
export interface JSONSchemaProps {
  /** Name of the schema. */
  id?: string & OmitZero;
  /** Which schema language is used. */
  $schema?: string & OmitZero;
  /** A schema elsewhere to use instead. */
  $ref?: string;
  /** What the value means. */
  description?: string & OmitZero;
  /** Type of the value. */
  type?: string & OmitZero;
  /** What a text or number means, such as `date-time`. */
  format?: string & OmitZero;
  /** Heading for the value. */
  title?: string & OmitZero;
  /** What the value is when it is left out. */
  default?: Json;
  /** The largest number. */
  maximum?: Double;
  /** Whether the maximum itself is too large. */
  exclusiveMaximum?: boolean & OmitZero;
  /** The smallest number. */
  minimum?: Double;
  /** Whether the minimum itself is too small. */
  exclusiveMinimum?: boolean & OmitZero;
  /** The longest text. */
  maxLength?: Int64;
  /** The shortest text. */
  minLength?: Int64;
  /** Expression the text must match. */
  pattern?: string & OmitZero;
  /** The most items. */
  maxItems?: Int64;
  /** The fewest items. */
  minItems?: Int64;
  /** Whether items must differ. */
  uniqueItems?: boolean & OmitZero;
  /** Number the value must be a multiple of. */
  multipleOf?: Double;
  /** Values that are allowed. */
  enum?: ListAtomic<Json>;
  /** The most fields. */
  maxProperties?: Int64;
  /** The fewest fields. */
  minProperties?: Int64;
  /** Fields that must be there. */
  required?: ListAtomic<string>;
  // Schema of the items.
  items?: SchemaOrArray<JSONSchemaProps>;
  /** Schemas that must all hold. */
  allOf?: ListAtomic<JSONSchemaProps>;
  /** Schemas of which exactly one must hold. */
  oneOf?: ListAtomic<JSONSchemaProps>;
  /** Schemas of which at least one must hold. */
  anyOf?: ListAtomic<JSONSchemaProps>;
  // A schema that must not hold.
  not?: JSONSchemaProps;
  /** Schemas of the fields. */
  properties?: Record<string, JSONSchemaProps>;
  // Schema of all other fields, or whether there may be any.
  additionalProperties?: SchemaOrBool<JSONSchemaProps>;
  /** Schemas of fields by the shape of their name. */
  patternProperties?: Record<string, JSONSchemaProps>;
  /** What else must be there when a field is. */
  dependencies?: Record<string, SchemaOrStringArray<JSONSchemaProps>>;
  // Schema of items beyond those listed.
  additionalItems?: SchemaOrBool<JSONSchemaProps>;
  /** Schemas to refer to. */
  definitions?: Record<string, JSONSchemaProps>;
  // A page that tells more.
  externalDocs?: ExternalDocumentation;
  // A value as an example.
  example?: Json;
  /** Whether null is allowed. */
  nullable?: boolean & OmitZero;
  /** Keeps fields the schema does not know. */
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  /** The value is an object with apiVersion, kind and metadata. */
  "x-kubernetes-embedded-resource"?: boolean & OmitZero;
  /** The value is a number or a text. */
  "x-kubernetes-int-or-string"?: boolean & OmitZero;
  /** Fields that tell the items of a map list apart. */
  "x-kubernetes-list-map-keys"?: ListAtomic<string>;
  /** How lists merge: `atomic`, `set` or `map`. */
  "x-kubernetes-list-type"?: string;
  /** How maps merge: `granular` or `atomic`. */
  "x-kubernetes-map-type"?: string;
  /** Rules in CEL that must hold. */
  "x-kubernetes-validations"?: ListMap<ValidationRule, "rule"> & PatchMerge<"rule">;
}

/** A page that tells more. */
export interface ExternalDocumentation {
  /** What it is about. */
  description?: string & OmitZero;
  /** Its address. */
  url?: string & OmitZero;
}

/** A rule that must hold. */
export interface ValidationRule {
  /** The rule, in CEL. */
  rule: string;
  /** What to say when it does not. */
  message?: string & OmitZero;
  /** What to say, computed in CEL. */
  messageExpression?: string & OmitZero;
  /** The cause, for programs. */
  reason?: FieldValueErrorReason;
  /** The field at fault. */
  fieldPath?: string & OmitZero;
  /** Whether the rule is tried on new values too. */
  optionalOldSelf?: boolean & Gated<"CRDValidationRatcheting">;
}

export type FieldValueErrorReason =
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueForbidden";
