import { toDefaultedStored } from "../kinds/apply-defaults.ts";
import { rest } from "../lib/in-turns.ts";
import { createObject } from "../resource/create-object.ts";
import { type Answer, liveAnswer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { noteObject } from "./note-request.ts";
import { readWriteQuery } from "./query-options.ts";
import { checkNamespaceInBody, readObject, type WriteContext, writeRequest } from "./write-context.ts";

/** POST to a collection. */
export function createHandler(context: WriteContext) {
  return async (request: ApiRequest): Promise<Answer> => {
    const { resource } = request;
    request.checkContentType();
    const query = readWriteQuery(request.query, "CreateOptions", resource.metaGroup);
    const object = await readObject(request, query.fieldValidation, context);
    const write = writeRequest(request, query);
    if (write.isLarge) await rest();
    const stored = toDefaultedStored(resource, object, context);
    noteObject(request, object, resource.schema);
    checkNamespaceInBody(object, request.info.namespace);
    const live = await createObject(write, stored, context);
    return liveAnswer(resource, 201, live);
  };
}
