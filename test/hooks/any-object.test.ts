import { describe, expect, it } from "vitest";
import { hooks as declared } from "../../generated/registry.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { KindHooks } from "../../runtime/contract/kind-hooks.ts";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { canonical, schemas, types } from "../kinds/conversions/converters.ts";
import { type Random, RandomObjects, randomFrom } from "../kinds/conversions/random-objects.ts";
import { contextFor } from "./refusals.ts";
import { runHooks } from "./run-hooks.ts";

const OBJECTS = 40;
const NOTHING = { get: () => Promise.resolve(undefined), list: () => Promise.resolve([]) };

/** Returns a copy in which random fields are missing, including required ones. */
function thinned(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => thinned(item, random));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(() => random() > 0.08);
  return Object.fromEntries(kept.map(([key, item]) => [key, thinned(item, random)]));
}

function anyObject(type: string, seed: number): ApiObject {
  const random = randomFrom(seed);
  const made = new RandomObjects(types, random).object(type as TypeRef);
  const object = canonical(type, { ...(thinned(made, random) as object), metadata: { name: "one" } });
  schemas.of<ApiObject>(type as TypeRef).applyDefaults(object);
  return object;
}

/** Objects of clients may lack any field: a hook must report errors and never throw. */
describe("hooks do not throw for any object that can be decoded", () => {
  it.each(Object.entries(declared))("%s", async (type, load) => {
    const hooks = (await load()) as unknown as KindHooks<ApiObject>;
    const failures: string[] = [];
    for (let seed = 1; seed <= OBJECTS; seed++) {
      const [object, old] = [anyObject(type, seed), anyObject(type, -seed)];
      try {
        runHooks(hooks, object, old, { ...contextFor(), featureEnabled: () => seed % 2 === 0, read: () => NOTHING });
      } catch (error) {
        failures.push((error as Error).stack?.split("\n").slice(0, 3).join(" ") ?? String(error));
      }
    }
    expect([...new Set(failures)]).toEqual([]);
  });
});
