import type { VirtualKind } from "../contract/virtual-kind.ts";
import { applyDefaults } from "../kinds/apply-defaults.ts";
import { admitMutating, admitValidating } from "../resource/admit.ts";
import { settleNamespace, withoutServerMeta } from "../resource/object-meta.ts";
import { badRequest } from "../values/status-errors.ts";
import type { Answer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { noteObject } from "./note-request.ts";
import { readWriteQuery } from "./query-options.ts";
import { checkNamespaceInBody, readObject, type WriteContext, writeRequest } from "./write-context.ts";

/** POST to a resource whose response is computed rather than stored. */
export function virtualHandler(answer: VirtualKind, context: WriteContext) {
  return async (request: ApiRequest): Promise<Answer> => {
    const { resource, info } = request;
    const query = readWriteQuery(request.query, "CreateOptions", resource.metaGroup);
    const given = applyDefaults(resource, await readObject(request, query.fieldValidation, context), context);
    noteObject(request, given, resource.schema);
    const object = resource.toStored(given);
    checkNamespaceInBody(object, info.namespace);
    if (resource.descriptor.namespaced && info.namespace === "") {
      throw badRequest("no namespace on request");
    }
    const name = object.metadata.name ?? "";
    const write = writeRequest(request, query);
    const settled = settleNamespace(withoutServerMeta(object), write);
    const owned = await context.ownership.update(write, undefined, settled, write.isLarge);
    const result = await answer({
      object: (await admitMutating(write, { operation: "CREATE", name, object: owned }, context)) ?? owned,
      user: request.user,
      namespace: info.namespace,
      name,
      warn: request.warn,
      annotate: request.annotate,
      admit: (final) => admitValidating(write, { operation: "CREATE", name, object: final }, context),
    });
    return { type: "object", status: 201, object: resource.fromStored(result), schema: resource.schema, resource };
  };
}
