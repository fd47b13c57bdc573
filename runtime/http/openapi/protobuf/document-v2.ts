import { METHODS } from "../../../openapi/operations.ts";
import {
  any,
  double,
  type Fields,
  type FieldWriter,
  flag,
  integer,
  type JsonMap,
  list,
  map,
  message,
  named,
  oneOf,
  type Shape,
  struct,
  text,
  texts,
} from "./message.ts";
import { externalDocs, limits, requirement } from "./shared-shapes.ts";

const schema: Shape = struct(
  {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, any],
    multipleOf: [6, double],
    ...limits(7),
    maxProperties: [17, integer],
    minProperties: [18, integer],
    required: [19, texts],
    enum: [20, list(any)],
    additionalProperties: [21, message(() => additionalProperties)],
    type: [22, (number, value) => message(() => typeItem)(number, Array.isArray(value) ? value : [value])],
    items: [23, (number, value) => message(() => itemsItem)(number, Array.isArray(value) ? value : [value])],
    allOf: [24, list(message(() => schema))],
    properties: [25, map(message(() => schema))],
    discriminator: [26, text],
    readOnly: [27, flag],
    externalDocs: [29, message(() => externalDocs)],
    example: [30, any],
  },
  31,
);

const typeItem: Shape = (value) => texts(1, value);
const itemsItem: Shape = (value) => list(message(() => schema))(1, value);
const additionalProperties: Shape = (value) =>
  typeof value === "boolean" ? flag(2, value) : message(() => schema)(1, value);

const primitive: Shape = struct(
  {
    type: [1, text],
    format: [2, text],
    items: [3, message(() => primitive)],
    collectionFormat: [4, text],
    default: [5, any],
    ...limits(6),
    enum: [16, list(any)],
    multipleOf: [17, double],
  },
  18,
);

/** Parameters outside of the body. Query and form parameters have `allowEmptyValue`, which shifts the numbers of later fields by one. */
function parameterOutsideBody(mayBeEmpty: boolean): Shape {
  const shift = mayBeEmpty ? 1 : 0;
  return struct(
    {
      required: [1, flag],
      in: [2, text],
      description: [3, text],
      name: [4, text],
      ...(mayBeEmpty && { allowEmptyValue: [5, flag] as const }),
      type: [5 + shift, text],
      format: [6 + shift, text],
      items: [7 + shift, message(() => primitive)],
      collectionFormat: [8 + shift, text],
      default: [9 + shift, any],
      ...limits(10 + shift),
      enum: [20 + shift, list(any)],
      multipleOf: [21 + shift, double],
    },
    22 + shift,
  );
}

const OUTSIDE_BODY: ReadonlyMap<unknown, readonly [number, FieldWriter]> = new Map([
  ["header", [1, message(() => headerParameter)]],
  ["formData", [2, message(() => formParameter)]],
  ["query", [3, message(() => queryParameter)]],
  ["path", [4, message(() => pathParameter)]],
]);
const headerParameter = parameterOutsideBody(false);
const formParameter = parameterOutsideBody(true);
const queryParameter = parameterOutsideBody(true);
const pathParameter = parameterOutsideBody(false);

const bodyParameter: Shape = struct(
  {
    description: [1, text],
    name: [2, text],
    in: [3, text],
    required: [4, flag],
    schema: [5, message(() => schema)],
  },
  6,
);
const otherParameter = oneOf((value) => OUTSIDE_BODY.get(value.in) ?? [3, message(() => queryParameter)]);
const parameter = oneOf((value) =>
  value.in === "body" ? [1, message(() => bodyParameter)] : [2, message(() => otherParameter)],
);
const reference: Shape = struct({ $ref: [1, text], description: [2, text] }, 0);
const parametersItem = oneOf((value) =>
  value.$ref === undefined ? [1, message(() => parameter)] : [2, message(() => reference)],
);

const schemaItem: Shape = (value) => message(() => schema)(1, value);
const response: Shape = struct({ description: [1, text], schema: [2, message(() => schemaItem)] }, 5);
const responseValue = oneOf((value) =>
  value.$ref === undefined ? [1, message(() => response)] : [2, message(() => reference)],
);
const responses: Shape = (value) => named(message(() => responseValue))(1, value);

const operation: Shape = struct(
  {
    tags: [1, texts],
    summary: [2, text],
    description: [3, text],
    externalDocs: [4, message(() => externalDocs)],
    operationId: [5, text],
    produces: [6, texts],
    consumes: [7, texts],
    parameters: [8, list(message(() => parametersItem))],
    responses: [9, message(() => responses)],
    schemes: [10, texts],
    deprecated: [11, flag],
  },
  13,
);

const pathItem: Shape = struct(
  {
    $ref: [1, text],
    ...Object.fromEntries(METHODS.map((method, index) => [method, [index + 2, message(() => operation)] as const])),
    parameters: [9, list(message(() => parametersItem))],
  },
  10,
);
/** Members of `paths`. */
export const pathMembers: Shape = (value) => named(message(() => pathItem))(2, value);
/** Members of `definitions`. */
export const definitionMembers: Shape = (value) => named(message(() => schema))(1, value);

const info: Shape = struct({ title: [1, text], version: [2, text], description: [3, text] }, 7);

const apiKey: Shape = struct({ type: [1, text], name: [2, text], in: [3, text], description: [4, text] }, 5);
const securityDefinition: Shape = (value) => message(() => apiKey)(2, value);

/**
 * `openapi.v2.Document` of the gnostic models without its fields 8 and 9, `paths` and `definitions`, which are assembled from parts: the
 * fields before and after those two.
 */
export const documentWithoutSections: { readonly before: Shape; readonly after: Shape } = {
  before: fieldsOf({
    swagger: [1, text],
    info: [2, message(() => info)],
    host: [3, text],
    basePath: [4, text],
    schemes: [5, texts],
    consumes: [6, texts],
    produces: [7, texts],
  }),
  after: struct(
    {
      parameters: [10, map(message(() => parameter))],
      responses: [11, map(message(() => response))],
      security: [12, list(message(() => requirement))],
      securityDefinitions: [13, map(message(() => securityDefinition))],
    },
    16,
  ),
};

function fieldsOf(fields: Fields): Shape {
  const shape = struct(fields, 0);
  return (value) => shape(Object.fromEntries(Object.keys(fields).map((key) => [key, (value as JsonMap)[key]])));
}
