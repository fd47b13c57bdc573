import type { Model } from "../../model/model.ts";
import { Definitions } from "./definitions.ts";
import { type Json, sortedByKey } from "./json.ts";
import { PATCH_TYPES, producedTypes, STATUS_WORDS } from "./media-types.ts";
import type { Operation } from "./operations.ts";
import type { Parameter } from "./parameters.ts";
import { byPath, commonParameters, ownParameters } from "./paths.ts";

/** Operations, and paths written out by hand, as an OpenAPI 3.0 document. */
export function documentV3(model: Model, operations: readonly Operation[], extra?: ExtraPaths): Json {
  const definitions = new Definitions(model, "v3");
  const paths = new Map<string, Json>();
  for (const [path, group] of byPath(operations)) {
    const common = commonParameters(group);
    const item: [string, Json][] = group.map((operation) => [
      operation.method,
      shape(model, operation, common, definitions),
    ]);
    const parameters = common.map(parameterV3);
    paths.set(path, { ...Object.fromEntries(item), ...(parameters.length > 0 && { parameters }) });
  }
  for (const [path, item] of extra?.(definitions) ?? []) paths.set(path, item);
  const schemas = sortedByKey(definitions.written());
  return {
    openapi: "3.0.0",
    info: { title: model.project.title, version: model.project.release },
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

export type ExtraPaths = (definitions: Definitions) => Iterable<readonly [string, Json]>;

function shape(model: Model, operation: Operation, common: readonly Parameter[], definitions: Definitions): Json {
  const { tag, description, operationId, body, action, kind } = operation;
  const own = ownParameters(operation, common);
  const types = producedTypes(operation.produces, model.vendor);
  const answers = Object.entries(operation.answers).map(([status, type]): [string, Json] => {
    const schema = type === "text" ? { type: "string" } : definitions.refTo(type);
    const content = sortedByKey(types.map((media) => [media, { schema }] as const));
    return [status, { description: STATUS_WORDS[status]!, content }];
  });
  return {
    tags: [tag],
    description,
    operationId,
    ...(own.length > 0 && { parameters: own.map(parameterV3) }),
    ...(body && { requestBody: requestBody(body, definitions) }),
    responses: { ...Object.fromEntries(answers), 401: { description: STATUS_WORDS[401]! } },
    ...(action !== undefined && { [`x-${model.vendor}-action`]: action }),
    ...(kind && {
      [`x-${model.vendor}-group-version-kind`]: { group: kind.group, version: kind.version, kind: kind.kind },
    }),
  };
}

function requestBody({ type, required, patch }: NonNullable<Operation["body"]>, definitions: Definitions): Json {
  const schema = definitions.refTo(type);
  const types = patch ? [...PATCH_TYPES].sort() : ["*/*"];
  return { content: Object.fromEntries(types.map((media) => [media, { schema }])), ...(required && { required }) };
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
