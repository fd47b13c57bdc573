import type { Json } from "../../../runtime/openapi/json.ts";
import type { ScalarName } from "../../model/contract.ts";

/** A scalar whose schema is a definition of its own. */
export interface SpecialDefinition {
  /** Relative to the reversed domain, or, with a leading dot, to the module that uses it. */
  readonly name: string;
  readonly description: string;
  /** OpenAPI version 2 replaces alternatives by strings: see `runtime/openapi/schema-v2.ts`. */
  readonly schema: Json;
}

const DATE = { type: "string", format: "date-time" };

export const SPECIAL: { readonly [scalar in ScalarName]?: SpecialDefinition } = {
  time: {
    name: "apimachinery.pkg.apis.meta.v1.Time",
    description: "Date and time with a precision of one second, in RFC 3339 format, such as `2026-03-01T12:30:00Z`.",
    schema: DATE,
  },
  microTime: {
    name: "apimachinery.pkg.apis.meta.v1.MicroTime",
    description:
      "Date and time with a precision of one microsecond, in RFC 3339 format, such as `2026-03-01T12:30:00.000000Z`.",
    schema: DATE,
  },
  duration: {
    name: "apimachinery.pkg.apis.meta.v1.Duration",
    description:
      "Duration as a sequence of decimal numbers with units, such as `300ms`, `1h30m` or `15s`. Valid units are `ns`, `us`, `ms`, `s`, `m` and `h`.",
    schema: { type: "string" },
  },
  quantity: {
    name: "apimachinery.pkg.api.resource.Quantity",
    description:
      "Fixed-point number with an optional suffix. Decimal suffixes are `n`, `u`, `m`, `k`, `M`, `G`, `T`, `P` and `E`; binary ones are `Ki`, `Mi`, `Gi`, `Ti`, `Pi` and `Ei`; an exponent such as `e3` is also allowed. `500m` is one half and `2Gi` is 2 * 2^30. The server stores a canonical form: the largest suffix that leaves no fraction.",
    schema: { oneOf: [{ type: "string" }, { type: "number" }] },
  },
  intOrString: {
    name: "apimachinery.pkg.util.intstr.IntOrString",
    description: "An integer or a string. The field keeps the type that the client sent.",
    schema: { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
  },
  rawObject: {
    name: "apimachinery.pkg.runtime.RawExtension",
    description: "An API object of any kind, with its own `apiVersion` and `kind`.",
    schema: { type: "object" },
  },
  fieldsV1: {
    name: "apimachinery.pkg.apis.meta.v1.FieldsV1",
    description:
      "Set of fields as nested objects. Each key is one step of a path: `f:<name>` is a field of an object or a key of a map, `k:<keys as JSON>` an entry of a list with keys, `v:<value as JSON>` an entry of a set, `i:<index>` an entry by position, and `.` the value itself.",
    schema: { type: "object" },
  },
  schemaOrArray: {
    name: ".JSONSchemaPropsOrArray",
    description: "A JSON schema, or a list of JSON schemas.",
    schema: {},
  },
  schemaOrBool: {
    name: ".JSONSchemaPropsOrBool",
    description: "A JSON schema, or a boolean: `true` allows any value, `false` none.",
    schema: {},
  },
  schemaOrStringArray: {
    name: ".JSONSchemaPropsOrStringArray",
    description: "A JSON schema, or a list of names of properties.",
    schema: {},
  },
};

/** Any JSON value, for modules that define JSON schemas. Others have an empty schema in place. */
export const JSON_VALUE: SpecialDefinition = {
  name: ".JSON",
  description: "Any valid JSON value: object, array, string, number, boolean or null.",
  schema: {},
};
