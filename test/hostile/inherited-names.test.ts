import { beforeAll, describe, expect, it } from "vitest";
import { hooks as declared } from "../../generated/registry.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { KindHooks } from "../../runtime/contract/kind-hooks.ts";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { DEFAULT_CONTEXT } from "../fixtures/default-context.ts";
import { servePlane } from "../fixtures/serve-plane.ts";
import { contextFor } from "../hooks/refusals.ts";
import { resourceOf, schemas, types } from "../kinds/conversions/converters.ts";
import { RandomObjects, randomFrom } from "../kinds/conversions/random-objects.ts";
import { type FieldPath, fieldPathsOf, setAt } from "./field-paths.ts";
import { kinds } from "./handle-object.ts";

/**
 * A value such as `constructor`, which every JavaScript object inherits, must be handled like one that differs in its last letter: a table
 * lookup with such a name would find a function. Each string field of each type is tested in one kind.
 */
const NAMES = ["__defineGetter__", "__proto__", "constructor", "hasOwnProperty", "toString", "valueOf"];

const loaded = new Map<string, KindHooks<ApiObject>>();
beforeAll(async () => {
  for (const [type, load] of Object.entries(declared))
    loaded.set(type, (await load()) as unknown as KindHooks<ApiObject>);
});

/** Returns another name with the same characters and length. */
const lookalikeOf = (name: string): string => name.replace(/[a-z](?=_*$)/i, (last) => (last === "q" ? "x" : "q"));

/** Returns a random object of the kind, decoded and with defaults, with a value in a field. */
function objectWith(kind: string, { steps }: FieldPath, value: string): ApiObject {
  const given = structuredClone(randomObjectOf(kind));
  setAt(given, steps, value);
  const schema = schemas.of<ApiObject>(kind as TypeRef);
  const decoded = schema.decode(given);
  schema.applyDefaults(decoded);
  return decoded;
}

const made = new Map<string, Record<string, unknown>>();
function randomObjectOf(kind: string): Record<string, unknown> {
  const object = made.get(kind) ?? new RandomObjects(types, randomFrom(5)).object(kind as TypeRef);
  object.metadata = { name: "a" };
  made.set(kind, object);
  return object;
}

/**
 * Returns the result of decoding, defaults, validation and printing of an object with a value in a field, as text without the value. `old` is
 * the previous object.
 */
function outcomeOf(kind: string, path: FieldPath, value: string, old: ApiObject): string {
  const schema = schemas.of<ApiObject>(kind as TypeRef);
  const { group, version } = resourceOf(kind);
  const context = {
    ...contextFor({ apiVersion: group === "" ? version : `${group}/${version}` }),
    featureEnabled: () => true,
  };
  const hooks = loaded.get(kind);
  const told: unknown[] = [];
  const run = (work: () => unknown): void => {
    try {
      told.push(work());
    } catch (error) {
      told.push(String(error));
    }
  };
  run(() => {
    const object = objectWith(kind, path, value);
    hooks?.default?.(object, DEFAULT_CONTEXT);
    run(() => hooks?.prepare?.(object, context));
    run(() => schema.validate(object));
    run(() => schema.validateUpdate(object, old));
    run(() => hooks?.validate?.(object, context));
    run(() => hooks?.validation?.update?.(object, old, { ...context, old }));
    run(() => hooks?.warn?.(object, context));
    run(() => hooks?.cells?.(object, context));
    run(() => Object.values(hooks?.table?.selectable ?? {}).map((read) => read(object)));
    return object;
  });
  const text = JSON.stringify(told, (_, each) =>
    typeof each === "bigint" || typeof each === "function" ? String(each) : each,
  );
  // Some are printed in small letters, and data of Secrets in base64.
  const forms = [value, value.toLowerCase(), Buffer.from(value).toString("base64")];
  return forms.reduce((rest, form) => rest.replaceAll(form, "VALUE"), text);
}

const tried = new Set<string>();
/** Returns the fields of each kind that no earlier kind has. */
const chosen = new Map(
  kinds.map((kind) => {
    const paths = fieldPathsOf(types, kind as TypeRef).filter(({ is, place }) => is === "string" && !tried.has(place));
    for (const { place } of paths) tried.add(place);
    return [kind, paths];
  }),
);

describe("an inherited name", () => {
  it.each(kinds)("in any string field of %s is a value like others", (kind) => {
    const different: string[] = [];
    for (const path of chosen.get(kind) ?? []) {
      const old = objectWith(kind, path, "before");
      for (const name of NAMES) {
        const found = outcomeOf(kind, path, name, old);
        const expected = outcomeOf(kind, path, lookalikeOf(name), old);
        if (found !== expected) different.push(`${path.steps.join(".")} ${name}: ${difference(found, expected)}`);
      }
    }
    expect(different).toEqual([]);
  });

  it("is looked for in every field of strings", () => {
    expect(tried.size).toBeGreaterThan(800);
  });
});

describe("an inherited name that the random objects above do not reach", () => {
  const { call } = servePlane();

  it.each(NAMES)("%s as a scope of a quota of pods is not supported", async (scope) => {
    const body = { metadata: { name: "a" }, spec: { hard: { pods: "1" }, scopes: [scope] } };
    const { status, text } = await call("POST", "/api/v1/namespaces/default/resourcequotas", { body });
    expect(status).toBe(422);
    expect(text).toContain("unsupported scope");
  });

  it.each(["constructor", "tostring"])("a FlowSchema may be called %s", async (name) => {
    const spec = { priorityLevelConfiguration: { name: "global-default" }, matchingPrecedence: 5000 };
    const path = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
    expect((await call("POST", path, { body: { metadata: { name }, spec } })).status).toBe(201);
  });

  it.each(NAMES)("a Secret may have the type %s", async (type) => {
    const body = { metadata: { generateName: "a-" }, type };
    expect((await call("POST", "/api/v1/namespaces/default/secrets", { body })).status).toBe(201);
  });
});

function difference(found: string, expected: string): string {
  let at = 0;
  while (found[at] === expected[at]) at++;
  return `${found.slice(Math.max(0, at - 60), at + 120)} instead of ${expected.slice(Math.max(0, at - 60), at + 120)}`;
}
