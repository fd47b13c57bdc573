import { goSyntax } from "../../../go/format.ts";
import { goQuote } from "../../../go/quote.ts";
import { asGiven } from "../../../go/source-notes.ts";
import { compareUtf8 } from "../../../lib/compare-utf8.ts";
import type { JsonObject, JsonValue } from "../../../lib/json-object.ts";

/** Prints a member of a struct as Go does. `undefined` means that it is absent. */
type Show = (value: JsonValue | undefined) => string;

/** The fields of a struct in Go's order: Go name, JSON key, and printer of the value. */
type Struct = readonly (readonly [name: string, key: string, show: Show])[];

const text: Show = (value = "") => goQuote(String(value));
const flag: Show = (value = false) => String(value);
/** Prints a fixed address for any pointer that is not nil. */
const pointer =
  (to: string): Show =>
  (value) =>
    `(*${to})(${value === undefined ? "nil" : "0xc000000000"})`;
const list =
  (item: string, show: Show, name = `[]${item}`): Show =>
  (value) =>
    value === undefined ? `${name}(nil)` : `${name}{${(value as JsonValue[]).map(show).join(", ")}}`;
const map =
  (name: string, show: Show): Show =>
  (value) => {
    if (value === undefined) return `${name}(nil)`;
    const entries = Object.entries(value as JsonObject).sort(([a], [b]) => compareUtf8(a, b));
    return `${name}{${entries.map(([key, member]) => `${goQuote(key)}:${show(member)}`).join(", ")}}`;
  };
const struct =
  (name: string, fields: () => Struct): Show =>
  (value = {}) => {
    const shown = fields().map(([field, key, show]) => `${field}:${show(asGiven(value as JsonObject, key))}`);
    return `apiextensions.${name}{${shown.join(", ")}}`;
  };

const PROPS = "apiextensions.JSONSchemaProps";
const texts = list("string", text);
const json = pointer("apiextensions.JSON");
const number = pointer("float64");
const count = pointer("int64");
const schemaOrBool = pointer("apiextensions.JSONSchemaPropsOrBool");

const rule = struct("ValidationRule", () => [
  ["Rule", "rule", text],
  ["Message", "message", text],
  ["MessageExpression", "messageExpression", text],
  ["Reason", "reason", pointer("apiextensions.FieldValueErrorReason")],
  ["FieldPath", "fieldPath", text],
  ["OptionalOldSelf", "optionalOldSelf", pointer("bool")],
]);

const dependency: Show = (value) => {
  const names = Array.isArray(value) ? value : undefined;
  const members = `Schema:${pointer(PROPS)(names === undefined ? value : undefined)}, Property:${texts(names)}`;
  return `apiextensions.JSONSchemaPropsOrStringArray{${members}}`;
};

/** Prints a schema. The names of its extensions contain the vendor. */
function schemaOf(vendor: string): Show {
  const x = (extension: string) => `x-${vendor}-${extension}`;
  const schema = struct("JSONSchemaProps", () => fields);
  const schemas = list(PROPS, schema);
  const fields: Struct = [
    ["ID", "id", text],
    ["Schema", "$schema", text],
    ["Ref", "$ref", pointer("string")],
    ["Description", "description", text],
    ["Type", "type", text],
    ["Nullable", "nullable", flag],
    ["Format", "format", text],
    ["Title", "title", text],
    ["Default", "default", json],
    ["Maximum", "maximum", number],
    ["ExclusiveMaximum", "exclusiveMaximum", flag],
    ["Minimum", "minimum", number],
    ["ExclusiveMinimum", "exclusiveMinimum", flag],
    ["MaxLength", "maxLength", count],
    ["MinLength", "minLength", count],
    ["Pattern", "pattern", text],
    ["MaxItems", "maxItems", count],
    ["MinItems", "minItems", count],
    ["UniqueItems", "uniqueItems", flag],
    ["MultipleOf", "multipleOf", number],
    ["Enum", "enum", list("apiextensions.JSON", goSyntax)],
    ["MaxProperties", "maxProperties", count],
    ["MinProperties", "minProperties", count],
    ["Required", "required", texts],
    ["Items", "items", pointer("apiextensions.JSONSchemaPropsOrArray")],
    ["AllOf", "allOf", schemas],
    ["OneOf", "oneOf", schemas],
    ["AnyOf", "anyOf", schemas],
    ["Not", "not", pointer(PROPS)],
    ["Properties", "properties", map(`map[string]${PROPS}`, schema)],
    ["AdditionalProperties", "additionalProperties", schemaOrBool],
    ["PatternProperties", "patternProperties", map(`map[string]${PROPS}`, schema)],
    ["Dependencies", "dependencies", map("apiextensions.JSONSchemaDependencies", dependency)],
    ["AdditionalItems", "additionalItems", schemaOrBool],
    ["Definitions", "definitions", map("apiextensions.JSONSchemaDefinitions", schema)],
    ["ExternalDocs", "externalDocs", pointer("apiextensions.ExternalDocumentation")],
    ["Example", "example", json],
    ["XPreserveUnknownFields", x("preserve-unknown-fields"), pointer("bool")],
    ["XEmbeddedResource", x("embedded-resource"), flag],
    ["XIntOrString", x("int-or-string"), flag],
    ["XListMapKeys", x("list-map-keys"), texts],
    ["XListType", x("list-type"), pointer("string")],
    ["XMapType", x("map-type"), pointer("string")],
    ["XValidations", x("validations"), list("", rule, "apiextensions.ValidationRules")],
  ];
  return schema;
}

/** Prints `items` that are not a single schema as Go does: null, or a list of schemas. */
export function showOtherItems(items: null | readonly unknown[], vendor: string): string {
  const schemas = list(PROPS, schemaOf(vendor))((items ?? undefined) as JsonValue);
  return `apiextensions.JSONSchemaPropsOrArray{Schema:${pointer(PROPS)(undefined)}, JSONSchemas:${schemas}}`;
}
