import { StatusError } from "../contract/status.ts";
import { placeOfKey } from "../kinds/registry-key.ts";
import { restAfter } from "../lib/in-turns.ts";
import { deleteObject } from "../resource/delete-object.ts";
import type { DeleteOptions } from "../resource/delete-options.ts";
import type { WriteRequest } from "../resource/write-request.ts";
import type { CachedObject } from "../watch/cached-object.ts";
import { windowsOf } from "../watch/read-ahead.ts";
import type { Answer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { type DeleteContext, deleteRequest, readDeleteOptions } from "./delete.ts";
import { refuseForce } from "./force-deletion.ts";
import { readListRequest } from "./list.ts";
import { checkListOptions } from "./list-options.ts";

/** Objects per page. A list with a limit reads its resourceVersion exactly, like any page. */
const PAGE = 10_000;
/** Maximum total size of objects that are deleted concurrently: the work on all of them may fall into one turn of the event loop. */
const MOST_BYTES = 1024 * 1024;

export interface DeleteCollectionContext extends DeleteContext {
  /** Maximum number of objects of a collection that are deleted concurrently. */
  readonly deleteCollectionWorkers: number;
  /** Feature gate `WatchList`. */
  readonly streamsLists: boolean;
}

/** DELETE of a collection: deletes all objects that match selectors and limit, one by one. Returns the deleted objects. */
export function deleteCollectionHandler(context: DeleteCollectionContext) {
  return async (request: ApiRequest): Promise<Answer> => {
    const { resource } = request;
    checkListOptions(request.query, request.info.selectors, context.streamsLists);
    const wanted = readListRequest(request);
    const options = await readDeleteOptions(request, context);
    refuseForce(request, options);
    for (const warning of resource.stored.hooks.lifecycle?.deletionWarnings?.(options) ?? []) request.warn(warning);
    const first = await resource.stored.cache.list({ limit: PAGE, ...wanted });
    const items = [...first.items];
    // Reads all pages before the first deletion, while the cache still has them: later they would have to be read from history.
    for (let rest = first.continue; rest !== undefined && wanted.limit === undefined; ) {
      const { scope, selector } = wanted;
      const page = await resource.stored.cache.list({
        scope,
        ...(selector && { selector }),
        limit: PAGE,
        continue: rest,
      });
      for (const item of page.items) items.push(item);
      rest = page.continue;
    }
    const write = deleteRequest(request, options);
    for (const { objects, ready } of windowsOf(items)) {
      if (ready !== undefined) await ready;
      await deleteSome(write, objects, options, context);
    }
    return { type: "list", list: { ...first, items }, resource };
  };
}

async function deleteSome(
  write: WriteRequest,
  items: readonly CachedObject[],
  options: DeleteOptions,
  context: DeleteCollectionContext,
): Promise<void> {
  let began = performance.now();
  for (const some of groupsOf(items, context.deleteCollectionWorkers)) {
    const results = await Promise.allSettled(some.map((item) => deleteListed(write, item, options, context)));
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) {
      throw failed.reason;
    }
    // A dry run never waits, so it must yield here.
    const resting = restAfter(began);
    if (resting === undefined) continue;
    await resting;
    began = performance.now();
  }
}

/** Divides objects into groups of at most `most`, or fewer if they are large. */
function* groupsOf(items: readonly CachedObject[], most: number): Generator<readonly CachedObject[]> {
  for (let start = 0; start < items.length; ) {
    let end = start;
    let bytes = 0;
    do bytes += (items[end++] as CachedObject).size;
    while (end < items.length && end - start < most && bytes < MOST_BYTES);
    yield items.slice(start, end);
    start = end;
  }
}

/** Deletes a listed object. Ignores one that was deleted in the meantime. */
async function deleteListed(
  write: WriteRequest,
  item: CachedObject,
  options: DeleteOptions,
  context: DeleteCollectionContext,
): Promise<void> {
  // Taken from the key: parsing a large object for its name would block the event loop.
  const { namespace, name } = placeOfKey(write.resource.stored.prefix, item.key);
  try {
    await deleteObject({ ...write, namespace }, name, options, context);
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.reason !== "NotFound") {
      throw error;
    }
  }
}
