import type { ScalarName } from "../../model/contract.ts";
import type { Json } from "./json.ts";

/** A scalar that has a definition of its own rather than a type in place. */
export interface SpecialDefinition {
  /** Below the reversed domain, or below the module that uses it when it starts with a dot. */
  readonly name: string;
  readonly description: string;
  readonly v3: Json;
  readonly v2: Json;
}

const DATE = { type: "string", format: "date-time" };

export const SPECIAL: { readonly [scalar in ScalarName]?: SpecialDefinition } = {
  time: {
    name: "apimachinery.pkg.apis.meta.v1.Time",
    description: "A moment in whole seconds, as RFC 3339 writes it.",
    v3: DATE,
    v2: DATE,
  },
  microTime: {
    name: "apimachinery.pkg.apis.meta.v1.MicroTime",
    description: "A moment with microseconds, as RFC 3339 writes it.",
    v3: DATE,
    v2: DATE,
  },
  duration: {
    name: "apimachinery.pkg.apis.meta.v1.Duration",
    description: "A length of time such as 1h30m.",
    v3: { type: "string" },
    v2: { type: "string" },
  },
  quantity: {
    name: "apimachinery.pkg.api.resource.Quantity",
    description: "An amount with an optional suffix: 500m is a half, 2Gi are two times 2^30.",
    v3: { oneOf: [{ type: "string" }, { type: "number" }] },
    v2: { type: "string" },
  },
  intOrString: {
    name: "apimachinery.pkg.util.intstr.IntOrString",
    description: "A number or a text, whichever was sent.",
    v3: { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
    v2: { type: "string", format: "int-or-string" },
  },
  rawObject: {
    name: "apimachinery.pkg.runtime.RawExtension",
    description: "A whole object of any kind.",
    v3: { type: "object" },
    v2: { type: "object" },
  },
  fieldsV1: {
    name: "apimachinery.pkg.apis.meta.v1.FieldsV1",
    description: "A set of fields: keys name the steps of paths, `f:` before fields, `k:` and `v:` before list items.",
    v3: { type: "object" },
    v2: { type: "object" },
  },
  schemaOrArray: { name: ".JSONSchemaPropsOrArray", description: "A JSON schema, or a list of them.", v3: {}, v2: {} },
  schemaOrBool: { name: ".JSONSchemaPropsOrBool", description: "A JSON schema, or true or false.", v3: {}, v2: {} },
  schemaOrStringArray: {
    name: ".JSONSchemaPropsOrStringArray",
    description: "A JSON schema, or names of properties.",
    v3: {},
    v2: {},
  },
};

/** Any JSON value, for modules that speak of JSON schemas; elsewhere it is a schema without conditions, in place. */
export const JSON_VALUE: SpecialDefinition = { name: ".JSON", description: "Any JSON value.", v3: {}, v2: {} };
