import type { Steps } from "../lib/in-turns.ts";
import type { DocumentContext, ExtraPaths } from "./document-v3.ts";
import { type Json, type OpenApiDocument, sortedByKey } from "./json.ts";
import { consumedTypes, producedTypes, STATUS_WORDS } from "./media-types.ts";
import type { Operation } from "./operations.ts";
import type { Parameter } from "./parameters.ts";
import { byPath, commonParameters, ownParameters } from "./paths.ts";
import { DocumentSchemas } from "./schemas.ts";
import { sharedName } from "./shared-parameters.ts";

/** Builds an OpenAPI 2.0 document, one for the whole API, from operations and additional handwritten paths. Yields after each path. */
export function* documentV2(
  context: DocumentContext,
  operations: readonly Operation[],
  extra?: ExtraPaths,
): Steps<OpenApiDocument> {
  const writer = new DocumentV2(context);
  const paths = new Map<string, Json>();
  for (const [path, group] of byPath(operations)) {
    paths.set(path, writer.item(group));
    yield;
  }
  for (const [path, item] of extra?.(writer.schemas) ?? []) paths.set(path, item);
  const token = { description: "A bearer token.", type: "apiKey", name: "authorization", in: "header" };
  return {
    swagger: "2.0",
    info: { ...context.info },
    paths: sortedByKey(paths),
    definitions: sortedByKey(writer.schemas.written()),
    parameters: sortedByKey(writer.shared),
    securityDefinitions: { BearerToken: token },
    security: [{ BearerToken: [] }],
  };
}

class DocumentV2 {
  readonly schemas: DocumentSchemas;
  readonly shared = new Map<string, Json>();
  readonly #vendor: string;

  constructor({ schemas, vendor }: DocumentContext) {
    this.#vendor = vendor;
    this.schemas = new DocumentSchemas(schemas, "v2");
  }

  item(operations: readonly Operation[]): Json {
    const common = commonParameters(operations);
    const shaped = operations.map((operation): [string, Json] => [
      operation.method,
      this.#operation(operation, common),
    ]);
    const parameters = common.map((parameter) => this.#parameter(parameter));
    return { ...Object.fromEntries(shaped), ...(parameters.length > 0 && { parameters }) };
  }

  #operation(operation: Operation, common: readonly Parameter[]): Json {
    const { tag, description, operationId, action, kind, body } = operation;
    const produces = producedTypes(operation.produces, this.#vendor);
    const own = ownParameters(operation, common).map((parameter) => this.#parameter(parameter));
    const parameters = [...(body ? [this.#body(body)] : []), ...own];
    const answers = Object.entries(operation.answers).map(([status, type]): [string, Json] => {
      const schema = type === "text" ? { type: "string" } : this.schemas.refTo(type);
      return [status, { description: STATUS_WORDS[status]!, schema }];
    });
    const vendor = this.#vendor;
    return {
      description,
      consumes: action === undefined ? produces : consumedTypes(operation, vendor),
      produces,
      schemes: ["https"],
      tags: [tag],
      operationId,
      ...(parameters.length > 0 && { parameters }),
      responses: { ...Object.fromEntries(answers), 401: { description: STATUS_WORDS[401]! } },
      ...(action !== undefined && { [`x-${vendor}-action`]: action }),
      ...(kind && {
        [`x-${vendor}-group-version-kind`]: { group: kind.group, kind: kind.kind, version: kind.version },
      }),
    };
  }

  /** Bodies that every kind accepts are shared definitions; bodies of one kind are written inline. */
  #body({ type, required, patch }: NonNullable<Operation["body"]>): Json {
    const schema = this.schemas.refTo(type);
    const body = { name: "body", in: "body", ...(required && { required }), schema };
    const isShared = patch || !required;
    if (!isShared) return body;
    const short = type.slice(type.lastIndexOf(".") + 1);
    return this.#share(sharedName("body", `body.${short}`, undefined), body);
  }

  #parameter(parameter: Parameter): Json {
    const { name, in: place, type, description, required, shared } = parameter;
    const text = description === "" ? {} : { description };
    const schema = { ...text, uniqueItems: true, type, name, in: place, ...(required && { required }) };
    return shared === undefined ? schema : this.#share(sharedName(name, shared, parameter), schema);
  }

  #share(name: string, schema: Json): Json {
    this.shared.set(name, schema);
    return { $ref: `#/parameters/${name}` };
  }
}
