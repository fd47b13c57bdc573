import { describe, expect, it } from "vitest";
import { hooks as declared, registry } from "../../generated/registry.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { KindHooks } from "../../runtime/contract/kind-hooks.ts";
import { cloneJson } from "../../runtime/lib/clone-json.ts";
import { equalJson } from "../../runtime/lib/equal-json.ts";
import { resolveFeatureGates } from "../../runtime/release/feature-gates.ts";
import { DEFAULT_CONTEXT } from "../fixtures/default-context.ts";
import { canonical, catalogue, schemas, types } from "../kinds/conversions/converters.ts";
import { type Random, RandomObjects, randomFrom } from "../kinds/conversions/random-objects.ts";

const OBJECTS = 60;
const load: Readonly<Record<string, () => Promise<unknown>>> = declared;
const kinds = [...new Set(catalogue.resources.map(({ type }) => type))];

/** Returns a copy that omits many fields with defaults. */
function sparse(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => sparse(item, random));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(() => random() > 0.3);
  return Object.fromEntries(kept.map(([key, item]) => [key, sparse(item, random)]));
}

/** Fields whose feature gate is off are removed after defaults are set; reading an object sets defaults again. */
describe("an object that is stored has all defaults", () => {
  const { release } = catalogue;
  const gates = resolveFeatureGates(registry.readFeatureGates(), release);
  const isEnabled = (gate: string): boolean => gates.enabled(gate);

  it.each(kinds)("%s", async (type) => {
    const hooks = ((await load[type]?.()) ?? {}) as KindHooks<ApiObject>;
    const schema = schemas.of<ApiObject>(type);
    const complete = (object: ApiObject): ApiObject => {
      schema.applyDefaults(object);
      hooks.default?.(object, DEFAULT_CONTEXT);
      return object;
    };
    const others: object[] = [];
    for (let seed = 1; seed <= OBJECTS; seed++) {
      const random = randomFrom(seed);
      const made = new RandomObjects(types, random).object(type);
      const object = complete(canonical(type, { ...(sparse(made, random) as object), metadata: { name: "one" } }));
      schema.dropDisabledFields(object, undefined, isEnabled);
      const stored = schema.canonicalize(object);
      const read = schema.canonicalize(complete(cloneJson(stored)));
      if (!equalJson(read, stored)) others.push({ read, stored });
    }
    expect(others.slice(0, 1)).toEqual([]);
  });
});

/** After defaulting and before they are stored, objects are compared with stored ones: any difference counts as a change. */
describe("an object with its defaults is as it will be stored, but for the order of its fields", () => {
  it.each(kinds)("%s", async (type) => {
    const hooks = ((await load[type]?.()) ?? {}) as KindHooks<ApiObject>;
    const schema = schemas.of<ApiObject>(type);
    const others: object[] = [];
    for (let seed = 1; seed <= OBJECTS; seed++) {
      const random = randomFrom(seed);
      const made = new RandomObjects(types, random).object(type);
      const object = canonical(type, { ...(sparse(made, random) as object), metadata: { name: "one" } });
      schema.applyDefaults(object);
      hooks.default?.(object, DEFAULT_CONTEXT);
      const stored = schema.canonicalize(object);
      if (!equalJson(object, stored)) others.push({ object, stored });
    }
    expect(others.slice(0, 1)).toEqual([]);
  });
});
