import type { ApiObject } from "../contract/api-object.ts";
import { toDefaultedStored } from "../kinds/apply-defaults.ts";
import { registryKey } from "../kinds/registry-key.ts";
import { rest } from "../lib/in-turns.ts";
import { dedupOwnerReferences, settleNamespace } from "../resource/object-meta.ts";
import type { LiveParts } from "../resource/parse-like.ts";
import { keepsStatus } from "../resource/prepare.ts";
import { updateObject } from "../resource/update-object.ts";
import { type Answer, liveAnswer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { noteObject } from "./note-request.ts";
import { readWriteQuery } from "./query-options.ts";
import {
  checkNameInBody,
  checkNameInPath,
  checkNamespaceInBody,
  readObject,
  type WriteContext,
  writeRequest,
} from "./write-context.ts";

/** PUT of a whole object, or of the part that a subresource such as `status` may change. */
export function updateHandler(context: WriteContext) {
  return async (request: ApiRequest): Promise<Answer> => {
    const { resource, info } = request;
    const query = readWriteQuery(request.query, "UpdateOptions", resource.metaGroup);
    let peeked: LiveParts | undefined;
    const object = await readObject(request, query.fieldValidation, context, () => (peeked = peek(request)));
    const write = writeRequest(request, query);
    if (write.isLarge) await rest();
    const stored = toDefaultedStored(resource, object, context);
    noteObject(request, object, resource.schema);
    checkNamespaceInBody(object, info.namespace);
    checkNameInBody(object, info.name);
    checkNameInPath(info.name);
    const settle = (decoded: ApiObject, warn: (message: string) => void): ApiObject =>
      dedupOwnerReferences(settleNamespace(decoded, write), warn, "");
    const body = settle(stored, request.warn);
    /** Each attempt modifies its own object: the first one uses the decoded body, a retry (rare) decodes the body again. */
    let untouched: ApiObject | undefined = body;
    const next = async (): Promise<ApiObject> => {
      if (untouched === undefined) {
        const again = await readObject(request, "Ignore", context);
        return settle(toDefaultedStored(resource, again, context), () => {});
      }
      const taken = untouched;
      untouched = undefined;
      return taken;
    };
    const { live, created } = await updateObject(
      write,
      {
        name: info.name,
        uid: body.metadata.uid,
        peeked: peeked?.live,
        createIfAbsent: resource.descriptor.createOnUpdate && (request.subresource?.name ?? "status") === "status",
        change: async (live, isLarge) => context.ownership.update(write, live, await next(), isLarge || write.isLarge),
      },
      context,
    );
    return liveAnswer(resource, created ? 201 : 200, live);
  };
}

/** The live object, whose values may be reused for equal parts of the body. Not for custom kinds, whose numbers may be written in several ways. */
function peek({ resource, info, subresource }: ApiRequest): LiveParts | undefined {
  const { stored, isStoredVersion, descriptor } = resource;
  if (!isStoredVersion || descriptor.custom !== undefined) return undefined;
  const live = stored.objects.peek(registryKey(stored.prefix, info.namespace, info.name));
  return live && { live, keepsStatus: keepsStatus(stored, subresource?.name) };
}
