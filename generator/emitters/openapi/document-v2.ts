import type { Model } from "../../model/model.ts";
import { Definitions } from "./definitions.ts";
import type { ExtraPaths } from "./document-v3.ts";
import { type Json, sortedByKey } from "./json.ts";
import { PATCH_TYPES, producedTypes, STATUS_WORDS } from "./media-types.ts";
import type { Operation } from "./operations.ts";
import type { Parameter } from "./parameters.ts";
import { byPath, commonParameters, ownParameters } from "./paths.ts";
import { sharedName } from "./shared-parameters.ts";

/** Operations, and paths written out by hand, as an OpenAPI 2.0 document: one for the whole API. */
export function documentV2(model: Model, operations: readonly Operation[], extra?: ExtraPaths): Json {
  const writer = new DocumentV2(model);
  const paths = new Map<string, Json>();
  for (const [path, group] of byPath(operations)) paths.set(path, writer.item(group));
  for (const [path, item] of extra?.(writer.definitions) ?? []) paths.set(path, item);
  const token = { description: "A bearer token.", type: "apiKey", name: "authorization", in: "header" };
  return {
    swagger: "2.0",
    info: { title: model.project.title, version: model.project.release },
    paths: sortedByKey(paths),
    definitions: sortedByKey(writer.definitions.written()),
    parameters: sortedByKey(writer.shared),
    securityDefinitions: { BearerToken: token },
    security: [{ BearerToken: [] }],
  };
}

class DocumentV2 {
  readonly definitions: Definitions;
  readonly shared = new Map<string, Json>();
  readonly #model: Model;

  constructor(model: Model) {
    this.#model = model;
    this.definitions = new Definitions(model, "v2");
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
    const produces = producedTypes(operation.produces, this.#model.vendor);
    const own = ownParameters(operation, common).map((parameter) => this.#parameter(parameter));
    const parameters = [...(body ? [this.#body(body)] : []), ...own];
    const answers = Object.entries(operation.answers).map(([status, type]): [string, Json] => {
      const schema = type === "text" ? { type: "string" } : this.definitions.refTo(type);
      return [status, { description: STATUS_WORDS[status]!, schema }];
    });
    const vendor = this.#model.vendor;
    return {
      description,
      consumes: body?.patch ? PATCH_TYPES : action === undefined ? produces : ["*/*"],
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

  /** Bodies that every kind accepts are shared; those of one kind are written in place. */
  #body({ type, required, patch }: NonNullable<Operation["body"]>): Json {
    const schema = this.definitions.refTo(type);
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
