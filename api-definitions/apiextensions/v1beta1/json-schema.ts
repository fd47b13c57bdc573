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

export interface JSONSchemaProps {
  id?: string & OmitZero;
  $schema?: string & OmitZero;
  $ref?: string;
  description?: string & OmitZero;
  type?: string & OmitZero;
  format?: string & OmitZero;
  title?: string & OmitZero;
  default?: Json;
  maximum?: Double;
  exclusiveMaximum?: boolean & OmitZero;
  minimum?: Double;
  exclusiveMinimum?: boolean & OmitZero;
  maxLength?: Int64;
  minLength?: Int64;
  pattern?: string & OmitZero;
  maxItems?: Int64;
  minItems?: Int64;
  uniqueItems?: boolean & OmitZero;
  multipleOf?: Double;
  enum?: ListAtomic<Json>;
  maxProperties?: Int64;
  minProperties?: Int64;
  required?: ListAtomic<string>;
  items?: SchemaOrArray<JSONSchemaProps>;
  allOf?: ListAtomic<JSONSchemaProps>;
  oneOf?: ListAtomic<JSONSchemaProps>;
  anyOf?: ListAtomic<JSONSchemaProps>;
  not?: JSONSchemaProps;
  properties?: Record<string, JSONSchemaProps>;
  additionalProperties?: SchemaOrBool<JSONSchemaProps>;
  patternProperties?: Record<string, JSONSchemaProps>;
  dependencies?: Record<string, SchemaOrStringArray<JSONSchemaProps>>;
  additionalItems?: SchemaOrBool<JSONSchemaProps>;
  definitions?: Record<string, JSONSchemaProps>;
  externalDocs?: ExternalDocumentation;
  example?: Json;
  nullable?: boolean & OmitZero;
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-embedded-resource"?: boolean & OmitZero;
  "x-kubernetes-int-or-string"?: boolean & OmitZero;
  "x-kubernetes-list-map-keys"?: ListAtomic<string>;
  "x-kubernetes-list-type"?: string;
  "x-kubernetes-map-type"?: string;
  "x-kubernetes-validations"?: ListMap<ValidationRule, "rule"> & PatchMerge<"rule">;
}

export interface ExternalDocumentation {
  description?: string & OmitZero;
  url?: string & OmitZero;
}

export interface ValidationRule {
  rule: string;
  message?: string & OmitZero;
  messageExpression?: string & OmitZero;
  reason?: FieldValueErrorReason;
  fieldPath?: string & OmitZero;
  optionalOldSelf?: boolean & Gated<"CRDValidationRatcheting">;
}

export type FieldValueErrorReason =
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueForbidden";
