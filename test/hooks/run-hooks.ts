import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { HookContext, KindHooks } from "../../runtime/contract/kind-hooks.ts";

/** Runs everything hooks do to an object, and to a change of it, as the server would. */
export function runHooks(hooks: KindHooks<ApiObject>, object: ApiObject, old: ApiObject, context: HookContext): void {
  for (const each of [object, old]) {
    hooks.defaults?.(each);
    hooks.defaultTimes?.(each, context.now);
    hooks.prepareForCreate?.(each, context);
    hooks.validate?.(each, context);
    hooks.cells?.(each, context);
    hooks.rowConditions?.(each);
    for (const read of Object.values(hooks.selectable ?? {})) read(each);
    hooks.gracePeriod?.(each, undefined);
    hooks.holdsDeletion?.(each);
  }
  for (const before of [object, old]) {
    hooks.prepareForUpdate?.(object, before, context);
    hooks.raisesGeneration?.(object, before);
    hooks.validateUpdate?.(object, before, context);
    hooks.validateByHand?.(object, before);
    hooks.warnings?.(object, before, context);
    for (const [subresource, validate] of Object.entries(hooks.validateSubresource ?? {}))
      validate(object, before, { ...context, subresource });
  }
  hooks.warnings?.(object, undefined, context);
}
