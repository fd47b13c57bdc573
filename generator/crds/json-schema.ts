import type { JsonValue } from "../model/contract.ts";

/** An OpenAPI v3 schema as a CustomResourceDefinition contains it. */
export interface JsonSchema {
  type?: string;
  format?: string;
  description?: string;
  nullable?: boolean;
  default?: JsonValue;
  properties?: { [name: string]: JsonSchema };
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  required?: string[];
  enum?: JsonValue[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  allOf?: JsonSchema[];
  [extension: `x-${string}`]: unknown;
}

export interface SchemaRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

export const VALIDATIONS = "x-kubernetes-validations";
export const PRESERVE = "x-kubernetes-preserve-unknown-fields";
export const INT_OR_STRING = "x-kubernetes-int-or-string";
export const EMBEDDED = "x-kubernetes-embedded-resource";
export const LIST_TYPE = "x-kubernetes-list-type";
export const LIST_KEYS = "x-kubernetes-list-map-keys";
export const MAP_TYPE = "x-kubernetes-map-type";

/** A quantity as a string; Go's notation of numbers with a suffix. */
export const QUANTITY_PATTERN =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";
/** A duration in Go's notation: `1h30m`. */
export const DURATION_PATTERN = "^[-+]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$";
