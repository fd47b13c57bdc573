import type { ApiObject } from "../contract/api-object.ts";
import type { ApiRegistry } from "../contract/api-registry.ts";
import type { HookContext, KindHooks } from "../contract/kind-hooks.ts";
import type { GroupVersionResource } from "../contract/served-versions.ts";
import type { TypeRef } from "../contract/type-table.ts";

/** Hooks as the server calls them: those that read other objects may be asynchronous. */
export interface LoadedHooks extends KindHooks<ApiObject, unknown> {
  /** The resources of `reads`, in the same order. */
  readonly readResources?: readonly GroupVersionResource[];
}

/** What loaded hooks know about a write. */
export type WriteContext = HookContext<ApiObject, unknown>;

/**
 * Loads the hooks of kinds, each when it is first used; most kinds have none. Importing a module costs something each time, although it
 * is loaded once: servers that share definitions would feel it.
 */
export function hookLoader(registry: ApiRegistry): (type: TypeRef) => Promise<LoadedHooks> {
  const loaded = new Map<TypeRef, Promise<LoadedHooks>>();
  return (type) => {
    const found = loaded.get(type) ?? loadHooks(registry, type);
    loaded.set(type, found);
    return found;
  };
}

async function loadHooks({ hooks, hookReads }: ApiRegistry, type: TypeRef): Promise<LoadedHooks> {
  const load = hooks[type];
  if (load === undefined) return {};
  const loaded = (await load()) as LoadedHooks;
  const readResources = hookReads[type];
  return readResources === undefined ? loaded : { ...loaded, readResources };
}
