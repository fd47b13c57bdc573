import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { HookContext, KindHooks } from "../../runtime/contract/kind-hooks.ts";
import { DEFAULT_CONTEXT } from "../fixtures/default-context.ts";

/** Runs all hooks on an object and on a change of it, like the server. */
export function runHooks(
  hooks: KindHooks<ApiObject>,
  object: ApiObject,
  old: ApiObject,
  context: HookContext<never>,
): void {
  for (const each of [object, old]) {
    hooks.default?.(each, DEFAULT_CONTEXT);
    hooks.defaults?.times?.(each, context.now);
    hooks.prepare?.(each, context);
    hooks.lifecycle?.prepareForCreate?.(each, context);
    hooks.validate?.(each, context);
    hooks.cells?.(each, context);
    hooks.table?.rowConditions?.(each);
    for (const read of Object.values(hooks.table?.selectable ?? {})) read(each);
    hooks.lifecycle?.gracePeriod?.(each, undefined);
    hooks.lifecycle?.holdsDeletion?.(each);
  }
  for (const before of [object, old]) {
    const change = { ...context, old: before };
    hooks.prepare?.(object, change);
    hooks.lifecycle?.prepareForUpdate?.(object, before, change);
    hooks.lifecycle?.raisesGeneration?.(object, before);
    hooks.validate?.(object, change);
    hooks.validation?.update?.(object, before, change);
    hooks.compatibility?.validateByHand?.(object, before);
    hooks.warn?.(object, change);
    for (const [subresource, validate] of Object.entries(hooks.validation?.subresources ?? {}))
      validate(object, before, { ...change, subresource });
  }
  hooks.warn?.(object, context);
}
