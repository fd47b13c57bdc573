import {
  any,
  double,
  type FieldWriter,
  flag,
  integer,
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

const reference: Shape = struct({ $ref: [1, text], summary: [2, text], description: [3, text] }, 0);

/** A value or a reference to one: nearly everything in a document may be a reference. */
function orReference(shape: () => Shape): Shape {
  return oneOf((value) => (value.$ref === undefined ? [1, message(shape)] : [2, message(() => reference)]));
}

const schema: Shape = struct(
  {
    nullable: [1, flag],
    readOnly: [3, flag],
    writeOnly: [4, flag],
    externalDocs: [6, message(() => externalDocs)],
    example: [7, any],
    deprecated: [8, flag],
    title: [9, text],
    multipleOf: [10, double],
    ...limits(11),
    maxProperties: [21, integer],
    minProperties: [22, integer],
    required: [23, texts],
    enum: [24, list(any)],
    type: [25, text],
    allOf: [26, list(message(() => schemaOrReference))],
    oneOf: [27, list(message(() => schemaOrReference))],
    anyOf: [28, list(message(() => schemaOrReference))],
    not: [29, message(() => schema)],
    items: [30, (number, value) => message(() => itemsItem)(number, Array.isArray(value) ? value : [value])],
    properties: [31, map(message(() => schemaOrReference))],
    additionalProperties: [32, message(() => additionalProperties)],
    default: [33, defaultType],
    description: [34, text],
    format: [35, text],
  },
  36,
);
const schemaOrReference: Shape = orReference(() => schema);
const itemsItem: Shape = (value) => list(message(() => schemaOrReference))(1, value);
const additionalProperties: Shape = (value) =>
  typeof value === "boolean" ? flag(2, value) : message(() => schemaOrReference)(1, value);

/** Only scalar defaults are supported here; others are omitted. */
function defaultType(...[number, value]: Parameters<FieldWriter>): Buffer {
  const shape: Shape = () =>
    typeof value === "number" ? double(1, value) : typeof value === "boolean" ? flag(2, value) : text(3, value);
  return typeof value === "object" ? Buffer.alloc(0) : message(() => shape)(number, value);
}

const mediaType: Shape = struct({ schema: [1, message(() => schemaOrReference)], example: [2, any] }, 5);
const content: FieldWriter = map(message(() => mediaType));

const parameter: Shape = struct(
  {
    name: [1, text],
    in: [2, text],
    description: [3, text],
    required: [4, flag],
    deprecated: [5, flag],
    allowEmptyValue: [6, flag],
    style: [7, text],
    explode: [8, flag],
    allowReserved: [9, flag],
    schema: [10, message(() => schemaOrReference)],
    example: [11, any],
    content: [13, content],
  },
  14,
);
const parameterOrReference = orReference(() => parameter);

const requestBody: Shape = struct({ description: [1, text], content: [2, content], required: [3, flag] }, 4);
const requestBodyOrReference = orReference(() => requestBody);

const response: Shape = struct({ description: [1, text], content: [3, content] }, 5);
const responseOrReference = orReference(() => response);
const responses: Shape = (value) => {
  const { default: fallback, ...codes } = value as Record<string, unknown>;
  const first = fallback === undefined ? Buffer.alloc(0) : message(() => responseOrReference)(1, fallback);
  return Buffer.concat([first, named(message(() => responseOrReference))(2, codes)]);
};

const operation: Shape = struct(
  {
    tags: [1, texts],
    summary: [2, text],
    description: [3, text],
    externalDocs: [4, message(() => externalDocs)],
    operationId: [5, text],
    parameters: [6, list(message(() => parameterOrReference))],
    requestBody: [7, message(() => requestBodyOrReference)],
    responses: [8, message(() => responses)],
    deprecated: [10, flag],
    security: [11, list(message(() => requirement))],
  },
  13,
);

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

const pathItem: Shape = struct(
  {
    $ref: [1, text],
    summary: [2, text],
    description: [3, text],
    ...Object.fromEntries(METHODS.map((method, index) => [method, [index + 4, message(() => operation)] as const])),
    parameters: [13, list(message(() => parameterOrReference))],
  },
  14,
);
const paths: Shape = (value) => named(message(() => pathItem))(1, value);

const securityScheme: Shape = struct(
  {
    type: [1, text],
    description: [2, text],
    name: [3, text],
    in: [4, text],
    scheme: [5, text],
    bearerFormat: [6, text],
    openIdConnectUrl: [8, text],
  },
  9,
);
const components: Shape = struct(
  {
    schemas: [1, map(message(() => schemaOrReference))],
    responses: [2, map(message(() => responseOrReference))],
    parameters: [3, map(message(() => parameterOrReference))],
    requestBodies: [5, map(message(() => requestBodyOrReference))],
    securitySchemes: [7, map(message(() => orReference(() => securityScheme)))],
  },
  10,
);

const info: Shape = struct({ title: [1, text], description: [2, text], version: [6, text], summary: [8, text] }, 7);
const server: Shape = struct({ url: [1, text], description: [2, text] }, 4);

/** `openapi.v3.Document` of the gnostic models. */
export const documentV3: Shape = struct(
  {
    openapi: [1, text],
    info: [2, message(() => info)],
    servers: [3, list(message(() => server))],
    paths: [4, message(() => paths)],
    components: [5, message(() => components)],
    security: [6, list(message(() => requirement))],
    externalDocs: [8, message(() => externalDocs)],
  },
  9,
);
