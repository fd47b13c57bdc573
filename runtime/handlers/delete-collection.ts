import type { ApiObject } from "../contract/api-object.ts";
import { StatusError } from "../contract/status.ts";
import { deleteObject } from "../resource/delete-object.ts";
import type { CachedObject } from "../watch/cached-object.ts";
import type { Answer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { type DeleteContext, deleteRequest, readDeleteOptions } from "./delete.ts";
import { refuseForce } from "./force-deletion.ts";
import { readListRequest } from "./list-request.ts";

/** DELETE of a collection: everything the selectors (and a limit) name, object by object. Answers with what was deleted. */
export function deleteCollectionHandler(context: DeleteContext) {
  return async (request: ApiRequest): Promise<Answer> => {
    const { resource } = request;
    const wanted = readListRequest(request);
    const options = await readDeleteOptions(request, context);
    refuseForce(request, options);
    const list = await resource.stored.cache.list(wanted);
    const workers = context.deleteCollectionWorkers;
    for (let start = 0; start < list.items.length; start += workers) {
      const some = list.items.slice(start, start + workers);
      const results = await Promise.allSettled(some.map((item) => deleteListed(request, item, options, context)));
      const failed = results.find((result) => result.status === "rejected");
      if (failed !== undefined) {
        throw failed.reason;
      }
    }
    return { type: "list", list, resource };
  };
}

/** An object that somebody else removed meanwhile is fine. */
async function deleteListed(
  request: ApiRequest,
  item: CachedObject,
  options: Parameters<typeof deleteObject>[2],
  context: DeleteContext,
): Promise<void> {
  const { metadata } = item.object as unknown as ApiObject;
  const one = { ...deleteRequest(request, options), namespace: metadata.namespace ?? "" };
  try {
    await deleteObject(one, metadata.name ?? "", options, context, "");
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.reason !== "NotFound") {
      throw error;
    }
  }
}
