import type { ApiObject } from "../contract/api-object.ts";
import type { ApiRegistry } from "../contract/api-registry.ts";
import type { DefaultContext, DefaultHooks, HookContext, KindHooks } from "../contract/kind-hooks.ts";
import type { GroupVersionResource } from "../contract/served-versions.ts";
import type { TypeRef } from "../contract/type-table.ts";

/** Hooks as the server calls them: those that read other objects may be asynchronous, and those for defaults know its settings. */
export interface LoadedHooks extends KindHooks<ApiObject, unknown> {
  readonly default?: (object: ApiObject) => void;
  readonly defaults?: DefaultHooks<ApiObject> & { readonly stored?: (object: ApiObject) => void };
  /** The resources of `reads`, in the same order. */
  readonly readResources?: readonly GroupVersionResource[];
}

/** What loaded hooks know about a write. */
export type WriteContext = HookContext<ApiObject, unknown>;

/**
 * Loads the hooks of kinds, each when it is first used; most kinds have none. Importing a module costs something each time, although it
 * is loaded once: servers that share definitions would feel it.
 */
export function hookLoader(registry: ApiRegistry, context: DefaultContext): (type: TypeRef) => Promise<LoadedHooks> {
  const loaded = new Map<TypeRef, Promise<LoadedHooks>>();
  return (type) => {
    const found = loaded.get(type) ?? loadHooks(registry, type, context);
    loaded.set(type, found);
    return found;
  };
}

/** The hooks of one kind, which are loaded each time. */
export async function loadHooks(
  { hooks, hookReads }: ApiRegistry,
  type: TypeRef,
  context: DefaultContext,
): Promise<LoadedHooks> {
  const load = hooks[type];
  if (load === undefined) return {};
  const loaded = (await load()) as KindHooks<ApiObject, unknown>;
  const { default: setDefaults, defaults } = loaded;
  const stored = defaults?.stored;
  const readResources = hookReads[type];
  return {
    ...loaded,
    ...(setDefaults !== undefined && { default: (object) => setDefaults(object, context) }),
    ...(stored !== undefined && { defaults: { ...defaults, stored: (object) => stored(object, context) } }),
    ...(readResources !== undefined && { readResources }),
  } as LoadedHooks;
}
