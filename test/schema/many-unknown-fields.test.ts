import { describe, expect, it } from "vitest";
import { atOnce, type Steps } from "../../runtime/lib/in-turns.ts";
import { MANY_KEYS } from "../../runtime/lib/json-object.ts";
import { decodeInOrder, decodeInOrderSteps } from "../../runtime/schema/decode-in-order.ts";
import type { DecodeOptions } from "../../runtime/schema/type-schema.ts";
import { schemas } from "../kinds/conversions/converters.ts";

const schema = schemas.of("core/v1.ConfigMap");
const members = (size: number) =>
  Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${(index * 7919) % size}`, "v"]));
const unknown = members(MANY_KEYS + 1000);

type Decode = (value: unknown, options: DecodeOptions & { problems: string[] }) => object;

/** Returns the result or error of decoding, and the problems that it found. */
function outcome(decode: Decode, value: unknown, options: DecodeOptions) {
  const problems: string[] = [];
  try {
    return { object: JSON.stringify(decode(value, { ...options, problems })), problems };
  } catch (error) {
    return { error: (error as Error).message, problems };
  }
}

const inSteps: Decode = (value, options) => atOnce(schema.decodeSteps?.(value, options) as Steps<object>);

describe("an object with thousands of unknown fields is decoded in steps as it is at once", () => {
  const meta = { metadata: { name: "a", labels: { b: "c" } } };
  it.each<[string, object]>([
    ["before the known ones", { ...unknown, ...meta, data: { a: "b" } }],
    ["after the known ones", { ...meta, immutable: true, data: { a: "b" }, ...unknown }],
    ["inside of metadata", { metadata: { name: "a", ...unknown, labels: { b: "c" } }, other: 1 }],
    ["beside a large map", { ...unknown, ...meta, data: members(MANY_KEYS + 1) }],
    ["beside a wrong value", { ...unknown, metadata: { name: 1 }, data: { a: "b" } }],
    ["one of them named __proto__", JSON.parse(`{"__proto__":1,${JSON.stringify({ ...unknown, ...meta }).slice(1)}`)],
  ])("%s", (_what, value) => {
    for (const options of [{}, { given: true }, { restores: true }, { given: true, reuses: true }]) {
      const expected = outcome((...args) => schema.decode(...args), structuredClone(value), options);
      expect(outcome(inSteps, structuredClone(value), options)).toEqual(expected);
    }
  });

  it("with keys that occur twice", () => {
    const metadata = { name: "a", ...unknown };
    const value = { kind: "ConfigMap", metadata, data: members(MANY_KEYS + 1) };
    const duplicates = new Map<object, readonly string[]>([
      [value, ["kind"]],
      [metadata, ["name", "k1"]],
    ]);
    const expected = outcome((...args) => schema.decode(...args), value, { duplicates });
    expect(expected.problems).toContain('duplicate field "kind"');
    expect(outcome(inSteps, value, { duplicates })).toEqual(expected);
  });

  it("with keys that look like numbers, in the order of the document", () => {
    const value = { ...unknown, 7: 1, 3: 1, ...meta };
    const order = ["k5", "7", "metadata", "k4", "3"];
    const keys = [...order, ...Object.keys(value).filter((key) => !order.includes(key)), "absent"];
    const keysOf = function* (object: object): Steps<readonly string[] | undefined> {
      yield;
      return object === value ? keys : undefined;
    };
    const given = function* () {
      yield;
      return keysOf;
    };
    const expected = outcome((one, options) => decodeInOrder(schema, one, options, given), value, {});
    expect(expected.problems.slice(0, 4)).toEqual(["k5", "7", "k4", "3"].map((key) => `unknown field "${key}"`));
    const steps: Decode = (one, options) => atOnce(decodeInOrderSteps(schema, one, options, given));
    expect(outcome(steps, value, {})).toEqual(expected);
  });

  it("in more than one step", () => {
    const steps = schema.decodeSteps?.({ ...meta, ...unknown }) as Steps<object>;
    let count = 0;
    while (!steps.next().done) count++;
    expect(count).toBeGreaterThan(10);
  });
});
