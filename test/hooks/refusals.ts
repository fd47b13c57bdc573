import type { HookContext, KindHooks } from "../../runtime/contract/kind-hooks.ts";
import { ownErrors } from "./own-errors.ts";

export interface Situation {
  /** The previous object; undefined for a new object. */
  readonly old?: unknown;
  readonly subresource?: string;
  readonly apiVersion?: string;
  /** Enabled features. */
  readonly features?: readonly string[];
}

export const NOW = new Date("2030-01-02T03:04:05Z");

export function contextFor({ subresource, apiVersion = "v1", features = [] }: Situation = {}): HookContext<never> {
  return {
    old: undefined,
    now: () => NOW,
    newUid: () => "a-new-uid",
    user: { name: "jane", uid: "42", groups: ["dev"] },
    namespace: "default",
    subresource,
    apiVersion,
    release: "1.33",
    featureEnabled: (gate) => features.includes(gate),
    allowPrivileged: true,
    warn: () => {},
    read: () => {
      throw new RangeError("nothing is read here");
    },
  };
}

/** Returns the errors that hooks find in an object, as `field: message`. Does not modify the objects. */
export function refusals<T, Reads>(hooks: KindHooks<T, Reads>, object: unknown, situation: Situation = {}): string[] {
  const [value, old] = structuredClone([object, situation.old]) as [T, T];
  const context = { ...contextFor(situation), old: situation.old === undefined ? undefined : old };
  return ownErrors(hooks, value, context).map(({ field, message }) => `${field}: ${message}`);
}

/** Returns a copy of an object with one value changed, given by its dotted path. Undefined removes it. */
export function withValue<T>(object: T, path: string, value: unknown): T {
  const copy = structuredClone(object);
  const steps = path.split(".");
  const last = steps.pop() as string;
  let target = copy as Record<string, unknown>;
  for (const step of steps) target = (target[step] ??= {}) as Record<string, unknown>;
  if (value === undefined) delete target[last];
  else target[last] = value;
  return copy;
}
