import type { ApiObject } from "../contract/api-object.ts";
import type { LiveObject } from "../kinds/object-store.ts";
import { registryKey } from "../kinds/registry-key.ts";
import { CasFailedError } from "../store/errors.ts";
import { notFound } from "../values/status-errors.ts";
import type { WriteEnvironment, WriteRequest } from "./write-request.ts";

/**
 * Changes a stored object on behalf of an operation that is validated elsewhere (binding a pod, counting a disruption): compare-and-set
 * with retries, without the rules of an update.
 */
export async function modifyObject(
  request: WriteRequest,
  name: string,
  change: (live: ApiObject) => ApiObject,
  environment: Pick<WriteEnvironment, "recorder">,
): Promise<LiveObject> {
  const { stored, groupResource } = request.resource;
  const key = registryKey(stored.prefix, request.namespace, name);
  for (;;) {
    const live = await stored.objects.get(key);
    if (live === undefined) {
      throw notFound(groupResource, name);
    }
    const next = stored.schema.canonicalize(change(live.object));
    if (request.dryRun) {
      return stored.objects.preview(key, next, live.revision);
    }
    try {
      const written = await stored.objects.put(key, next, live.revision);
      environment.recorder?.()?.(request, "update", written.object);
      return written;
    } catch (error) {
      if (!(error instanceof CasFailedError)) {
        throw error;
      }
    }
  }
}
