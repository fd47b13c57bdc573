import { toDefaultedStored } from "../kinds/apply-defaults.ts";
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
    request.bodyFormat();
    const query = readWriteQuery(request.query, "CreateOptions", resource.metaGroup);
    const object = await readObject(request, query.fieldValidation, context);
    checkNamespaceInBody(object, request.info.namespace);
    const stored = toDefaultedStored(resource, object, context);
    noteObject(request, object, resource.schema);
    const live = await createObject(writeRequest(request, query), stored, context);
    return liveAnswer(resource, 201, live);
  };
}
