import { fieldErrorText } from "../../../runtime/contract/field-error.ts";
import type { HookContext, KindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { isStandIn } from "../../../runtime/contract/update-order.ts";

export const NOW = "2026-01-02T03:04:05Z";

/** A request as hooks see it; the given features are on, all others off. */
export function contextWith(changes: Partial<HookContext> = {}, features: readonly string[] = []): HookContext {
  return {
    now: () => new Date(NOW),
    newUid: () => "a-new-uid",
    user: { name: "tester", groups: [] },
    namespace: "here",
    subresource: undefined,
    apiVersion: "v1",
    release: "1.33",
    featureEnabled: (gate) => features.includes(gate),
    allowPrivileged: true,
    warn: () => {},
    ...changes,
  };
}

/** What is wrong with a new object, as `field: message`. */
export function problemsOf<T>(hooks: KindHooks<T>, object: unknown, context = contextWith()): string[] {
  return (hooks.validate?.(object as T, context) ?? []).filter((error) => !isStandIn(error)).map(fieldErrorText);
}

/** What is wrong with a change, by the rules of the subresource it comes through. */
export function problemsOfChange<T>(
  hooks: KindHooks<T>,
  object: unknown,
  old: unknown,
  context = contextWith(),
): string[] {
  const { subresource } = context;
  const specific = subresource === undefined ? undefined : hooks.validateSubresource?.[subresource];
  const validate = specific ?? hooks.validateUpdate;
  const errors = validate?.(object as T, old as T, context) ?? [];
  return errors.filter((error) => !isStandIn(error)).map(fieldErrorText);
}

/** The object after preparation for its creation. */
export function prepared<T>(hooks: KindHooks<T>, object: unknown, context = contextWith()): T {
  const value = structuredClone(object) as T;
  hooks.prepareForCreate?.(value, context);
  return value;
}

export function preparedChange<T>(hooks: KindHooks<T>, object: unknown, old: unknown, context = contextWith()): T {
  const value = structuredClone(object) as T;
  hooks.prepareForUpdate?.(value, old as T, context);
  return value;
}

export function warningsOf<T>(hooks: KindHooks<T>, object: unknown, old?: unknown, context = contextWith()): string[] {
  return hooks.warnings?.(object as T, old as T | undefined, context) ?? [];
}
