import type { ApiObject } from "../../contract/api-object.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";
import { registryKey, registryScope } from "../../kinds/registry-key.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import type { CachedObject } from "../../watch/cached-object.ts";
import type { ReadKind } from "../write-request.ts";

/** Creates readers of the watch cache whose results include every write acknowledged before the call. */
export function createKindReaders(surface: () => Pick<ApiSurface, "find">): ReadKind {
  return ({ group, version, resource }) => {
    const find = async (): Promise<ServedResource> => {
      const entry = surface().find(group, version, resource);
      if (entry === undefined) throw new RangeError(`hooks read ${resource}.${version}.${group}, which is not served`);
      return entry.loaded ?? entry.load();
    };
    return {
      async get(namespace, name) {
        const found = await find();
        const { cache, prefix } = found.stored;
        const cached = await cache.get(registryKey(prefix, namespace ?? "", name));
        return cached && served(found, cached);
      },
      async list(namespace = "") {
        const found = await find();
        const { cache, prefix } = found.stored;
        if (cache.isEmpty()) return [];
        const { items } = await cache.list({ scope: registryScope(prefix, namespace) });
        return items.map((cached) => served(found, cached));
      },
    };
  };
}

function served(resource: ServedResource, cached: CachedObject): ApiObject {
  return resource.fromStored(cached.object as unknown as ApiObject);
}
