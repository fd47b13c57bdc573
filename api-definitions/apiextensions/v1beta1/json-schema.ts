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

// Fields that refer to another schema have a plain comment instead of a description: they are published as bare references, as
// Kubernetes does.

/**
 * Schema of a value in a custom object, in a subset of OpenAPI v3 with extensions. If `preserveUnknownFields` of the
 * definition is `false`, or if schemas have defaults or extensions, they must be structural: every property and item
 * has a `type` (or `x-kubernetes-int-or-string` or `x-kubernetes-preserve-unknown-fields`), and `allOf`, `anyOf`,
 * `oneOf` and `not` only add restrictions to properties that are declared outside of them. Objects are validated when
 * they are created or changed; fields without a schema are removed if `preserveUnknownFields` is `false`.
 */
export interface JSONSchemaProps {
  /** Identifier of the schema in JSON Schema. Not supported: must be empty. */
  id?: string & OmitZero;
  /** URI of the JSON Schema dialect. Accepted and ignored. */
  $schema?: string & OmitZero;
  /** Reference to another schema. Not supported: must be unset. */
  $ref?: string;
  /** Human-readable description of the value, shown by `kubectl explain`. */
  description?: string & OmitZero;
  /**
   * Type of the value: `object`, `array`, `string`, `integer`, `number` or `boolean`. Required in every structural
   * schema except those with `x-kubernetes-int-or-string` or `x-kubernetes-preserve-unknown-fields`; must be `object`
   * at the root and unset inside `allOf`, `anyOf`, `oneOf` and `not`. Use `nullable` to allow null.
   */
  type?: string & OmitZero;
  /**
   * Format of a string or number. Strings are validated for `date-time`, `date`, `duration`, `byte` (base64), `uri`,
   * `email`, `hostname`, `ipv4`, `ipv6`, `cidr`, `mac`, `uuid` and a few others; unknown formats are ignored. Numbers
   * may have `int32`, `int64`, `float` or `double`.
   */
  format?: string & OmitZero;
  /** Short human-readable name of the value. Not used in validation. */
  title?: string & OmitZero;
  /**
   * Value to set if the property is absent, or null where null is not allowed. Applied when an object is written and
   * when it is read from storage. The default must itself be valid against the schema, and needs
   * `preserveUnknownFields` to be `false`. Not allowed inside `allOf`, `anyOf`, `oneOf` and `not`, nor in the top-level
   * `metadata`.
   */
  default?: Json;
  /** Largest allowed number. The value itself is allowed unless `exclusiveMaximum` is `true`. */
  maximum?: Double;
  /** Whether numbers must be less than `maximum` instead of less than or equal. Defaults to `false`. */
  exclusiveMaximum?: boolean & OmitZero;
  /** Smallest allowed number. The value itself is allowed unless `exclusiveMinimum` is `true`. */
  minimum?: Double;
  /** Whether numbers must be greater than `minimum` instead of greater than or equal. Defaults to `false`. */
  exclusiveMinimum?: boolean & OmitZero;
  /**
   * Maximum length of a string, in Unicode characters. Set it on strings that CEL rules use: it lowers their estimated
   * cost.
   */
  maxLength?: Int64;
  /** Minimum length of a string, in Unicode characters. */
  minLength?: Int64;
  /**
   * Regular expression in RE2 syntax that a string must match. It may match any part of the string; use `^` and `$` to
   * match all of it.
   */
  pattern?: string & OmitZero;
  /** Maximum number of items in an array. Set it on lists that CEL rules use: it lowers their estimated cost. */
  maxItems?: Int64;
  /** Minimum number of items in an array. */
  minItems?: Int64;
  /**
   * Whether items must be unique. `true` is not allowed, because the check takes quadratic time; use
   * `x-kubernetes-list-type` with `set` or `map` instead.
   */
  uniqueItems?: boolean & OmitZero;
  /** Number of which a value must be a multiple. Must be greater than 0. */
  multipleOf?: Double;
  /**
   * Allowed values. A value must be equal to one of them. If `nullable` is `true` and null is meant to be valid, list
   * null as well.
   */
  enum?: ListAtomic<Json>;
  /** Maximum number of properties that an object may have. */
  maxProperties?: Int64;
  /** Minimum number of properties that an object must have. */
  minProperties?: Int64;
  /**
   * Names of the properties that an object must have. Properties with a `default` may be listed; they are set before
   * validation.
   */
  required?: ListAtomic<string>;
  // Schema of every item of an array: a single schema; an array of schemas is not allowed. Required if `type` is
  // `array`.
  items?: SchemaOrArray<JSONSchemaProps>;
  /**
   * Schemas that must all match. They may only restrict properties declared outside of them, and may not set `type`,
   * `default`, `description`, `title`, `nullable`, `additionalProperties` or extensions.
   */
  allOf?: ListAtomic<JSONSchemaProps>;
  /** Schemas of which exactly one must match. The same restrictions apply as to `allOf`. */
  oneOf?: ListAtomic<JSONSchemaProps>;
  /** Schemas of which at least one must match. The same restrictions apply as to `allOf`. */
  anyOf?: ListAtomic<JSONSchemaProps>;
  // Schema that must not match. The same restrictions apply as to `allOf`.
  not?: JSONSchemaProps;
  /**
   * Schemas of the properties of an object, by name. Properties that are not listed are removed from objects, unless
   * `x-kubernetes-preserve-unknown-fields` is `true`. Excludes `additionalProperties`. In the top-level `metadata` only
   * `name` and `generateName` may be restricted.
   */
  properties?: Record<string, JSONSchemaProps>;
  // Schema of all values of an object that is used as a map. `true` allows any value. Excludes `properties`, and is not
  // allowed at the root of the schema.
  additionalProperties?: SchemaOrBool<JSONSchemaProps>;
  /** Schemas of properties by regular expression. Not supported: must be empty. */
  patternProperties?: Record<string, JSONSchemaProps>;
  /** Properties or schemas that are required if a property is present. Not supported: must be unset. */
  dependencies?: Record<string, SchemaOrStringArray<JSONSchemaProps>>;
  // Schema of items beyond those listed in `items`. Not supported: must be unset.
  additionalItems?: SchemaOrBool<JSONSchemaProps>;
  /** Schemas for use in `$ref`. Not supported: must be empty. */
  definitions?: Record<string, JSONSchemaProps>;
  // Link to documentation of the value. Not used in validation.
  externalDocs?: ExternalDocumentation;
  // Example of a valid value, for readers of the schema. Not used in validation.
  example?: Json;
  /**
   * Whether null is a valid value. Where it is not, null is replaced by `default`, if there is one, before validation.
   * Must not be `true` at the root. Defaults to `false`.
   */
  nullable?: boolean & OmitZero;
  /**
   * `true` preserves the fields of this object that have no schema; otherwise they are removed when the object is
   * written. Fields with a schema below it are still pruned by that schema. Must be `true` or unset.
   */
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  /**
   * Whether the value is a complete Kubernetes object with `apiVersion`, `kind` and `metadata`, which are validated
   * without being declared. Needs `type` to be `object`, and `properties` or `x-kubernetes-preserve-unknown-fields`.
   * Defaults to `false`.
   */
  "x-kubernetes-embedded-resource"?: boolean & OmitZero;
  /**
   * Whether the value may be an integer or a string, such as a port number or name. `type` may then be unset, and
   * `anyOf` may list both types. Excludes `x-kubernetes-embedded-resource` and `x-kubernetes-preserve-unknown-fields`.
   * Defaults to `false`.
   */
  "x-kubernetes-int-or-string"?: boolean & OmitZero;
  /**
   * Names of the properties that identify an item in a list with `x-kubernetes-list-type: map`; required there, and not
   * allowed elsewhere. Each must be a scalar property of the items, not nullable, and either required or with a
   * default.
   */
  "x-kubernetes-list-map-keys"?: ListAtomic<string>;
  /**
   * How server-side apply merges an array, and which duplicates are refused. `atomic`: the list is replaced as a whole.
   * `set`: items are scalars or atomic values and must be unique. `map`: items are objects, identified by
   * `x-kubernetes-list-map-keys`, and are merged one by one. Defaults to `atomic`. Needs `type` to be `array`.
   */
  "x-kubernetes-list-type"?: string;
  /**
   * How server-side apply merges an object: `granular` merges each property, `atomic` replaces the object as a whole.
   * Defaults to `granular`. Needs `type` to be `object`.
   */
  "x-kubernetes-map-type"?: string;
  /**
   * Rules in CEL that the value must satisfy, for constraints that span several fields or compare with the old value.
   * Not allowed inside `allOf`, `anyOf`, `oneOf` and `not`. The estimated cost of each rule and of all rules together
   * is limited: set `maxItems`, `maxLength` and `maxProperties` where rules iterate.
   */
  "x-kubernetes-validations"?: ListMap<ValidationRule, "rule"> & PatchMerge<"rule">;
}

/** Link to documentation outside of the schema. */
export interface ExternalDocumentation {
  /** Human-readable description of the linked document. */
  description?: string & OmitZero;
  /** URL of the linked document. */
  url?: string & OmitZero;
}

/** Validation rule in the Common Expression Language (CEL) that every new or changed value must satisfy. */
export interface ValidationRule {
  /**
   * CEL expression that must evaluate to `true` for the value to be valid. `self` is the value at this place of the
   * schema, such as `self.minReplicas <= self.maxReplicas`. A rule that uses `oldSelf`, the value before an update, is
   * only evaluated on updates, and only where old and new value can be matched.
   */
  rule: string;
  /**
   * Message of the error if the rule fails, without line breaks. Defaults to `failed rule: ` followed by the rule.
   * Required if `rule` contains line breaks.
   */
  message?: string & OmitZero;
  /**
   * CEL expression that returns the message of the error as a string; it has the same variables as `rule`. Takes
   * precedence over `message`, which is used if the expression fails, or returns an empty string or several lines.
   */
  messageExpression?: string & OmitZero;
  /** Machine-readable reason of the error if the rule fails. Defaults to `FieldValueInvalid`. */
  reason?: FieldValueErrorReason;
  /**
   * Path of the field that the error is reported for, relative to this place of the schema, such as `.spec.minReplicas`
   * or `.entries['a.b']`. The field must exist in the schema; indexes of lists are not allowed. Defaults to the place
   * of the rule.
   */
  fieldPath?: string & OmitZero;
  /**
   * `true` makes `oldSelf` a CEL optional, so that a rule that uses it is evaluated also when an object is created or a
   * field is added. May only be set if the rule uses `oldSelf`. Defaults to `false`.
   */
  optionalOldSelf?: boolean & Gated<"CRDValidationRatcheting">;
}

export type FieldValueErrorReason =
  /** A required value is missing. */
  | "FieldValueRequired"
  /** The value collides with another one that must be unique. */
  | "FieldValueDuplicate"
  /** The value is malformed or out of range. */
  | "FieldValueInvalid"
  /** The value is well-formed but not allowed under the current conditions. */
  | "FieldValueForbidden";
