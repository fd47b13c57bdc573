import { METHODS } from "../openapi/operations.ts";
import type { Swagger } from "./merge-openapi.ts";

type Fields = Readonly<Record<string, unknown>>;

const METHOD_NAMES: ReadonlySet<string> = new Set(METHODS);
/** Fields of a parameter that become part of its schema. */
const SHAPE = ["type", "format", "uniqueItems", "items", "enum", "minimum", "maximum", "pattern", "default"];

/** Converts an OpenAPI v2 document to v3, for servers without OpenAPI v3. */
export function swaggerToV3(document: Swagger): Fields {
  const paths = mapFields(document.paths, (item) => convertPath(fields(item), document));
  return {
    openapi: "3.0.0",
    info: document.info ?? {},
    paths,
    components: { schemas: mapFields(fields(document.definitions), convertSchema) },
  };
}

function convertPath(item: Fields, document: Swagger): Fields {
  const { parameters, ...rest } = item;
  return {
    ...mapFields(rest, (value, name) => (METHOD_NAMES.has(name) ? convertOperation(fields(value), document) : value)),
    ...(Array.isArray(parameters) && {
      parameters: parameters.map((each) => convertParameter(resolve(each, document))),
    }),
  };
}

function convertOperation(operation: Fields, document: Swagger): Fields {
  const { parameters, responses, consumes, produces, schemes: _schemes, ...rest } = operation;
  const all = (Array.isArray(parameters) ? parameters : []).map((each) => resolve(each, document));
  const body = all.find((parameter) => parameter.in === "body");
  const others = all.filter((parameter) => parameter !== body);
  return {
    ...rest,
    ...(others.length > 0 && { parameters: others.map(convertParameter) }),
    ...(body && {
      requestBody: { content: contentOf(body.schema, consumes), ...(body.required === true && { required: true }) },
    }),
    responses: mapFields(fields(responses), (response) => convertResponse(fields(response), produces)),
  };
}

function convertResponse({ schema, ...rest }: Fields, produces: unknown): Fields {
  return { ...rest, ...(schema !== undefined && { content: contentOf(schema, produces) }) };
}

function convertParameter(parameter: Fields): Fields {
  const { schema, collectionFormat: _format, ...rest } = parameter;
  const facts = Object.entries(rest);
  const shape = schema ?? Object.fromEntries(facts.filter(([name]) => SHAPE.includes(name)));
  return { ...Object.fromEntries(facts.filter(([name]) => !SHAPE.includes(name))), schema: convertSchema(shape) };
}

function contentOf(schema: unknown, types: unknown): Fields {
  const names = Array.isArray(types) && types.length > 0 ? types : ["*/*"];
  return Object.fromEntries(names.map((name) => [String(name), { schema: convertSchema(schema) }]));
}

/** Rewrites references to `components/schemas`. A reference with siblings becomes an `allOf`, because v3 ignores siblings of `$ref`. */
function convertSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(convertSchema);
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref: reference, ...rest } = schema as Fields;
  const others = mapFields(rest, convertSchema);
  if (typeof reference !== "string")
    return reference === undefined ? others : { $ref: convertSchema(reference), ...others };
  const referred = { $ref: reference.replace(/^#\/definitions\//, "#/components/schemas/") };
  return Object.keys(others).length === 0 ? referred : { ...others, allOf: [referred] };
}

function resolve(parameter: unknown, { parameters }: Swagger): Fields {
  const { $ref: reference } = fields(parameter);
  const name = typeof reference === "string" ? reference.replace(/^#\/parameters\//, "") : undefined;
  return fields(name !== undefined && Object.hasOwn(parameters ?? {}, name) ? parameters?.[name] : parameter);
}

function mapFields(value: Fields, map: (member: unknown, name: string) => unknown): Fields {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member, name)]));
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
