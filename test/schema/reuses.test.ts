import { describe, expect, it } from "vitest";
import { samplePod } from "../../bench/encoding/sample-pod.ts";
import { registry } from "../../generated/registry.ts";
import { asGiven } from "../../runtime/go/source-notes.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import type { PlainObject } from "../../runtime/schema/type-schema.ts";

const schema = createSchemas(registry.createTypeSource()).of("core/v1.Pod");
const canonical = schema.decode(samplePod) as typeof samplePod;
const copy = () => structuredClone(canonical) as PlainObject;

function read(value: unknown, reuses: boolean) {
  const problems: string[] = [];
  const object = schema.decode(value, { problems, given: true, reuses });
  return { text: JSON.stringify(object), problems };
}

/** Returns all values that differ from a value in one object, at any depth. */
function* changed(value: unknown, change: (object: PlainObject) => PlainObject): Generator<unknown> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const next of changed(item, change)) yield value.with(index, next);
    return;
  }
  const object = value as PlainObject;
  yield change(object);
  for (const key of Object.keys(object))
    for (const next of changed(object[key], change)) yield { ...object, [key]: next };
}

describe("decoding that reuses canonical parts", () => {
  it("returns the same object if it is canonical", () => {
    const pod = copy();
    expect(schema.canonicalize(pod, { reuses: true })).toBe(pod);
    expect(schema.canonicalize(pod)).not.toBe(pod);
  });

  it("reuses canonical parts and copies the others", () => {
    const pod = copy() as unknown as typeof samplePod;
    const { name, ...rest } = pod.metadata;
    const moved = { ...pod, metadata: { ...rest, name } };
    const before = JSON.stringify(moved);
    const decoded = schema.canonicalize(moved as PlainObject, { reuses: true }) as unknown as typeof samplePod;
    expect(JSON.stringify(decoded)).toBe(JSON.stringify(pod));
    expect(decoded.spec).toBe(pod.spec);
    expect(JSON.stringify(moved)).toBe(before);
  });

  const changes: Record<string, (object: PlainObject) => PlainObject> = {
    "another order of keys": (object) => Object.fromEntries(Object.entries(object).reverse()),
    "another order from the third key on": (object) => {
      const entries = Object.entries(object);
      return Object.fromEntries([...entries.slice(0, 2), ...entries.slice(2).reverse()]);
    },
    "an unknown key after the second": (object) => {
      const entries = Object.entries(object);
      return Object.fromEntries([...entries.slice(0, 2), ["zzz", 1], ...entries.slice(2)]);
    },
    "an unknown key": (object) => ({ zzz: 1, ...object }),
    "an unknown key at the end": (object) => ({ ...object, zzz: null }),
    nulls: (object) => Object.fromEntries(Object.entries(object).map(([key]) => [key, null])),
    "missing keys": (object) => Object.fromEntries(Object.entries(object).slice(1)),
    "empty texts": (object) =>
      Object.fromEntries(Object.entries(object).map(([key, value]) => [key, typeof value === "string" ? "" : value])),
    "empty lists and objects": (object) =>
      Object.fromEntries(
        Object.entries(object).map(([key, value]) => [
          key,
          typeof value === "object" && value ? emptied(value) : value,
        ]),
      ),
  };
  for (const [name, change] of Object.entries(changes)) {
    it(`has the same result for ${name}`, () => {
      let count = 0;
      for (const value of changed(copy(), change)) {
        const outcome = (reuses: boolean) => {
          try {
            return read(value, reuses);
          } catch (error) {
            return (error as Error).message;
          }
        };
        expect(outcome(true)).toEqual(outcome(false));
        count++;
      }
      expect(count).toBeGreaterThan(20);
    });
  }

  it("records empty lists", () => {
    const pod = { ...copy(), spec: { ...(copy().spec as PlainObject), hostAliases: [] } };
    const decoded = schema.decode(pod, { given: true, reuses: true }) as { spec: PlainObject };
    expect(decoded.spec.hostAliases).toBeUndefined();
    expect(asGiven(decoded.spec, "hostAliases")).toEqual([]);
  });
});

function emptied(value: object): object {
  return Array.isArray(value) ? [] : {};
}
