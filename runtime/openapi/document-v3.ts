import type { Steps } from "../lib/in-turns.ts";
import { type Json, type OpenApiDocument, sortedByKey } from "./json.ts";
import { consumedTypes, producedTypes, STATUS_WORDS } from "./media-types.ts";
import type { Operation } from "./operations.ts";
import type { Parameter } from "./parameters.ts";
import { byPath, commonParameters, ownParameters } from "./paths.ts";
import { DocumentSchemas, type Schemas } from "./schemas.ts";

/** Properties that all documents share. */
export interface DocumentContext {
  readonly info: { readonly title: string; readonly version: string };
  readonly vendor: string;
  readonly schemas: Schemas;
}

/** Builds an OpenAPI 3.0 document from operations and additional handwritten paths. Yields after each path. */
export function* documentV3(
  context: DocumentContext,
  operations: readonly Operation[],
  extra?: ExtraPaths,
): Steps<OpenApiDocument> {
  const written = new DocumentSchemas(context.schemas, "v3");
  const paths = new Map<string, Json>();
  for (const [path, group] of byPath(operations)) {
    const common = commonParameters(group);
    const item: [string, Json][] = group.map((operation) => [
      operation.method,
      shape(context.vendor, operation, common, written),
    ]);
    const parameters = common.map(parameterV3);
    paths.set(path, { ...Object.fromEntries(item), ...(parameters.length > 0 && { parameters }) });
    yield;
  }
  for (const [path, item] of extra?.(written) ?? []) paths.set(path, item);
  const schemas = sortedByKey(written.written());
  return {
    openapi: "3.0.0",
    info: { ...context.info },
    paths: sortedByKey(paths),
    components: {
      ...(Object.keys(schemas).length > 0 && { schemas }),
      securitySchemes: {
        BearerToken: {
          type: "apiKey",
          description: "A bearer token.",
          name: "authorization",
          in: "header",
        },
      },
    },
  };
}

export type ExtraPaths = (written: DocumentSchemas) => Iterable<readonly [string, Json]>;

function shape(vendor: string, operation: Operation, common: readonly Parameter[], written: DocumentSchemas): Json {
  const { tag, description, operationId, body, action, kind } = operation;
  const own = ownParameters(operation, common);
  const types = producedTypes(operation.produces, vendor);
  const answers = Object.entries(operation.answers).map(([status, type]): [string, Json] => {
    const schema = type === "text" ? { type: "string" } : written.refTo(type);
    const content = sortedByKey(types.map((media) => [media, { schema }] as const));
    return [status, { description: STATUS_WORDS[status]!, content }];
  });
  return {
    tags: [tag],
    description,
    operationId,
    ...(own.length > 0 && { parameters: own.map(parameterV3) }),
    ...(body && { requestBody: requestBody(body, consumedTypes(operation, vendor), written) }),
    responses: { ...Object.fromEntries(answers), 401: { description: STATUS_WORDS[401]! } },
    ...(action !== undefined && { [`x-${vendor}-action`]: action }),
    ...(kind && {
      [`x-${vendor}-group-version-kind`]: { group: kind.group, version: kind.version, kind: kind.kind },
    }),
  };
}

function requestBody(
  { type, required }: NonNullable<Operation["body"]>,
  types: readonly string[],
  written: DocumentSchemas,
): Json {
  const schema = written.refTo(type);
  const content = sortedByKey(types.map((media) => [media, { schema }] as const));
  return { content, ...(required && { required }) };
}

function parameterV3({ name, in: place, type, description, required }: Parameter): Json {
  return {
    name,
    in: place,
    ...(description !== "" && { description }),
    ...(required && { required }),
    schema: { type, uniqueItems: true },
  };
}
