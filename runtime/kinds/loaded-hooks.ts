import type { ApiObject } from "../contract/api-object.ts";
import type { ApiRegistry } from "../contract/api-registry.ts";
import type { DefaultContext, DefaultHooks, HookContext, KindHooks } from "../contract/kind-hooks.ts";
import type { GroupVersionResource } from "../contract/served-versions.ts";
import type { TypeRef } from "../contract/type-table.ts";

/**
 * Hooks in the form in which the server calls them: hooks that read other objects may be asynchronous; defaulting hooks know the server's settings.
 */
export interface LoadedHooks extends KindHooks<ApiObject, unknown> {
  readonly default?: (object: ApiObject) => void;
  readonly defaults?: DefaultHooks<ApiObject> & { readonly stored?: (object: ApiObject) => void };
  /** The resources that the hook declares in `reads`, in the same order. */
  readonly readResources?: readonly GroupVersionResource[];
}

/** The context of a write, as passed to loaded hooks. */
export type WriteContext = HookContext<ApiObject, unknown>;

/**
 * Loads the hooks of a kind when they are first used; most kinds have none. The promises are cached because even the import of a module that
 * is already loaded has a cost, which adds up when several servers share definitions.
 */
export function hookLoader(registry: ApiRegistry, context: DefaultContext): (type: TypeRef) => Promise<LoadedHooks> {
  const loaded = new Map<TypeRef, Promise<LoadedHooks>>();
  return (type) => {
    const found = loaded.get(type) ?? loadHooks(registry, type, context);
    loaded.set(type, found);
    return found;
  };
}

/** Loads the hooks of one kind. Does not cache. */
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
