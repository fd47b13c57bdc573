import type { ApiObject } from "../contract/api-object.ts";
import type { HookContext, KindHooks } from "../contract/kind-hooks.ts";
import type { GroupVersionResource } from "../contract/served-versions.ts";

/** Hooks as the server calls them: those that read other objects may be asynchronous. */
export interface LoadedHooks extends KindHooks<ApiObject, unknown> {
  /** The resources of `reads`, in the same order. */
  readonly readResources?: readonly GroupVersionResource[];
}

/** What loaded hooks know about a write. */
export type WriteContext = HookContext<ApiObject, unknown>;
