import { hooks as declared } from "../../generated/registry.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { KindHooks } from "../../runtime/contract/kind-hooks.ts";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { contextFor } from "../hooks/refusals.ts";
import { runHooks } from "../hooks/run-hooks.ts";
import { catalogue, resourceOf, schemas } from "../kinds/conversions/converters.ts";

/** The types of all kinds. */
export const kinds = [...new Set(catalogue.resources.map(({ type }) => type))];
const loaded = new Map<string, KindHooks<ApiObject>>();

export async function loadHooks(): Promise<void> {
  for (const [type, load] of Object.entries(declared))
    loaded.set(type, (await load()) as unknown as KindHooks<ApiObject>);
}

/** Objects that hooks can read: there are none. */
const NOTHING = { get: async () => undefined, list: async () => [] };

/**
 * Does what happens to an object, and to a change of it, before it is stored. Adds thrown errors to `failures`. Returns why one of the two
 * could not be decoded, so that validation and hooks did not run.
 */
export function handle(kind: string, given: readonly [object, object], failures: Set<string>): string | undefined {
  const schema = schemas.of<ApiObject>(kind as TypeRef);
  const { group, version } = resourceOf(kind);
  let refusal: string | undefined;
  const decode = (value: object): ApiObject | undefined => {
    try {
      const object = schema.decode(structuredClone(value));
      schema.applyDefaults(object);
      return object;
    } catch (error) {
      if (error instanceof RangeError || error instanceof TypeError) throw error;
      refusal = (error as Error).message;
      return undefined;
    }
  };
  const [object, old] = given.map(decode);
  if (object === undefined || old === undefined) return refusal;
  try {
    schema.validate(object);
    schema.validateUpdate(object, old);
    const hooks = loaded.get(kind);
    const apiVersion = group === "" ? version : `${group}/${version}`;
    if (hooks !== undefined)
      runHooks(hooks, object, old, { ...contextFor({ apiVersion }), featureEnabled: () => true, read: () => NOTHING });
  } catch (error) {
    failures.add(`${kind}: ${(error as Error).stack?.split("\n").slice(0, 4).join(" ").slice(0, 600)}`);
  }
  return undefined;
}
