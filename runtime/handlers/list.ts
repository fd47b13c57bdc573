import type { Answer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { readListRequest } from "./list-request.ts";

/** Lists a collection from the watch cache. */
export async function listHandler(request: ApiRequest): Promise<Answer> {
  const { resource } = request;
  const list = await resource.stored.cache.list(readListRequest(request));
  return { type: "list", list, resource };
}
