import type { ScalarName } from "../../model/contract.ts";

/** A message that represents a scalar on the wire. `package` is relative to the domain; `.` is the package of the module that uses it. */
export interface ScalarMessage {
  readonly package: string;
  readonly name: string;
  readonly fields: readonly string[];
}

const META = "apimachinery.pkg.apis.meta.v1";

export const WIRE_SCALARS: { readonly [scalar in ScalarName]?: string } = {
  string: "string",
  boolean: "bool",
  int32: "int32",
  int64: "int64",
  double: "double",
  bytes: "bytes",
};

export const SCALAR_MESSAGES: { readonly [scalar in ScalarName]?: ScalarMessage } = {
  time: { package: META, name: "Time", fields: ["int64 seconds = 1", "int32 nanos = 2"] },
  microTime: { package: META, name: "MicroTime", fields: ["int64 seconds = 1", "int32 nanos = 2"] },
  duration: { package: META, name: "Duration", fields: ["int64 duration = 1"] },
  fieldsV1: { package: META, name: "FieldsV1", fields: ["bytes Raw = 1"] },
  quantity: { package: "apimachinery.pkg.api.resource", name: "Quantity", fields: ["string string = 1"] },
  intOrString: {
    package: "apimachinery.pkg.util.intstr",
    name: "IntOrString",
    fields: ["int64 type = 1", "int32 intVal = 2", "string strVal = 3"],
  },
  rawObject: { package: "apimachinery.pkg.runtime", name: "RawExtension", fields: ["bytes raw = 1"] },
  json: { package: ".", name: "JSON", fields: ["bytes raw = 1"] },
  schemaOrArray: {
    package: ".",
    name: "JSONSchemaPropsOrArray",
    fields: ["JSONSchemaProps schema = 1", "repeated JSONSchemaProps jSONSchemas = 2"],
  },
  schemaOrBool: {
    package: ".",
    name: "JSONSchemaPropsOrBool",
    fields: ["bool allows = 1", "JSONSchemaProps schema = 2"],
  },
  schemaOrStringArray: {
    package: ".",
    name: "JSONSchemaPropsOrStringArray",
    fields: ["JSONSchemaProps schema = 1", "repeated string property = 2"],
  },
};
