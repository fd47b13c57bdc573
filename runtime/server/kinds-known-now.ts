import { type KnownKinds, knownKinds } from "../kinds/known-kinds.ts";
import type { Platform } from "./platform.ts";

/** All kinds of the current definitions. */
export function kindsKnownNow(state: { readonly platform: Platform }): KnownKinds {
  let platform = state.platform;
  let known: KnownKinds | undefined;
  const current = (): KnownKinds => {
    if (platform !== state.platform) known = undefined;
    platform = state.platform;
    known ??= knownKinds(platform.catalogue, platform.schemas);
    return known;
  };
  return {
    has: (apiVersion, kind) => current().has(apiVersion, kind),
    schemaOf: (apiVersion, kind) => current().schemaOf(apiVersion, kind),
  };
}
