import { fieldErrorText } from "../../../runtime/contract/field-error.ts";
import type { HookContext, KindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { ownErrors } from "../own-errors.ts";

export const NOW = "2026-01-02T03:04:05Z";

/** Returns the context of hooks. The given features are on, all others off. */
export function contextWith(
  changes: Partial<HookContext<never>> = {},
  features: readonly string[] = [],
): HookContext<never> {
  return {
    old: undefined,
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
    read: () => {
      throw new RangeError("nothing is read here");
    },
    ...changes,
  };
}

/** Returns the validation errors of a new object, as `field: message`. */
export function problemsOf<T>(hooks: KindHooks<T>, object: unknown, context = contextWith()): string[] {
  return ownErrors(hooks, object as T, context).map(fieldErrorText);
}

/** Returns the validation errors of a change, by the rules of its subresource. */
export function problemsOfChange<T>(
  hooks: KindHooks<T>,
  object: unknown,
  old: unknown,
  context = contextWith(),
): string[] {
  return ownErrors(hooks, object as T, { ...context, old: old as T }).map(fieldErrorText);
}

/** Returns the object after its preparation for creation. */
export function prepared<T>(hooks: KindHooks<T>, object: unknown, context = contextWith()): T {
  const value = structuredClone(object) as T;
  hooks.prepare?.(value, context);
  hooks.lifecycle?.prepareForCreate?.(value, context);
  return value;
}

export function preparedChange<T>(hooks: KindHooks<T>, object: unknown, old: unknown, context = contextWith()): T {
  const value = structuredClone(object) as T;
  hooks.prepare?.(value, { ...context, old: old as T });
  hooks.lifecycle?.prepareForUpdate?.(value, old as T, { ...context, old: old as T });
  return value;
}

export function warningsOf<T>(hooks: KindHooks<T>, object: unknown, old?: unknown, context = contextWith()): string[] {
  return hooks.warn?.(object as T, { ...context, old: old as T | undefined }) ?? [];
}
