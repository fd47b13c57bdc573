import { describe, expect, it } from "vitest";
import type { FieldSet } from "../../runtime/apply/fieldpath/field-set.ts";
import { fieldsV1ToSet, setToFieldsV1, setToFieldsV1Steps } from "../../runtime/apply/fieldpath/fields-v1.ts";
import { createFieldManager } from "../../runtime/apply/managed-fields/field-manager.ts";
import { decodeManaged, prepareManagedSteps } from "../../runtime/apply/managed-fields/managed.ts";
import { compare, compareSteps } from "../../runtime/apply/typed/compare.ts";
import type { Comparison } from "../../runtime/apply/typed/comparison.ts";
import { encodeCbor, encodeCborSteps } from "../../runtime/encoding/cbor/encode-cbor.ts";
import { parseJson, parseLargeJson } from "../../runtime/encoding/json/parse-json.ts";
import { stringifyJson, stringifyJsonSteps } from "../../runtime/encoding/json/stringify-json.ts";
import { stringifyYaml, stringifyYamlSteps } from "../../runtime/encoding/yaml/stringify-yaml.ts";
import { CustomTypeSchema } from "../../runtime/kinds/custom/schema/custom-type-schema.ts";
import { sortUtf8, sortUtf8Steps } from "../../runtime/lib/compare-utf8.ts";
import { atOnce, type Steps } from "../../runtime/lib/in-turns.ts";
import type { JsonObject, JsonValue } from "../../runtime/lib/json-object.ts";
import { jsonPatchSteps } from "../../runtime/patch/json-patch.ts";
import { mergePatchSteps } from "../../runtime/patch/merge-patch.ts";
import { strategicMergePatchSteps } from "../../runtime/patch/strategic/strategic-merge-patch.ts";
import { encodeStoredJson, encodeStoredJsonSteps } from "../../runtime/store/value/stored-json.ts";
import { schemas } from "../kinds/conversions/converters.ts";

const SCHEMA = {
  type: "object",
  properties: {
    spec: { type: "object", properties: { map: { type: "object", additionalProperties: { type: "string" } } } },
  },
};
const map = (size: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: size }, (_, index) => [`key-${index}`, "v"]));

const thingSchema = () =>
  new CustomTypeSchema({
    ref: "large/v1.Thing",
    schema: SCHEMA,
    vendor: "kubernetes",
    metadata: schemas.of("meta/v1.ObjectMeta"),
    preservesUnknown: false,
  });

describe("a stored custom object", () => {
  const schema = thingSchema();
  const thing = (spec: object, more: object = {}) => ({
    apiVersion: "large.example.com/v1",
    kind: "Thing",
    metadata: { name: "a", labels: { b: "c", a: "b" } },
    spec,
    ...more,
  });

  const owned = (size: number) => ({
    operation: "Update",
    manager: "m",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": Object.fromEntries(Array.from({ length: size }, (_, i) => [`f:${(i * 7919) % size}`, {}])) },
  });

  it.each<[string, object]>([
    ["with sorted keys", thing({ map: { a: "b", c: "d" } })],
    ["with keys in another order", thing({ map: { c: "d", a: "b" } })],
    [
      "with fields that its schema does not have",
      thing({ map: { a: "b" }, gone: { b: [{ d: 1, c: 2 }] } }, { also: 1 }),
    ],
    [
      "with short lists of long objects",
      thing({ map: {} }, { metadata: { name: "a", managedFields: [owned(1500), owned(3)] } }),
    ],
    ["with a long list", thing({ map: { a: Array.from({ length: 2500 }, (_, i) => ({ b: i, a: [i] })) } })],
    ["with nulls", thing({ map: { a: null, b: "c" } })],
    ["with a key named __proto__", thing({ map: JSON.parse('{"z":"a","__proto__":"b"}') })],
    ["with integers beyond 64 bits", thing({ map: { a: 2n ** 70n, b: [1, 2n ** 63n - 1n] } })],
  ])("%s is restored as decoding it would", (_what, object) => {
    const decoded = schema.decode(structuredClone(object));
    schema.applyDefaults(decoded);
    const restored = schema.restore(structuredClone(object) as typeof decoded);
    expect(restored).toEqual(decoded);
    expect(keysIn(restored)).toEqual(keysIn(decoded));
    const inSteps = atOnce(schema.restoreSteps(structuredClone(object) as typeof decoded));
    expect(inSteps).toEqual(decoded);
    expect(keysIn(inSteps)).toEqual(keysIn(decoded));
    for (const reuses of [true, false]) {
      const copy = () => structuredClone(object) as typeof decoded;
      const canonical = atOnce(schema.canonicalizeSteps(copy(), { reuses }));
      expect(canonical).toEqual(schema.canonicalize(copy(), { reuses }));
      expect(keysIn(canonical)).toEqual(keysIn(schema.canonicalize(copy(), { reuses })));
    }
  });
});

describe("work that may be interrupted has the result of the same work at once", () => {
  const long = Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`key-${index}`, index / 2]));
  const values: readonly [what: string, text: string][] = [
    ["an empty object", "{}"],
    ["a scalar", ' "a" '],
    ["long objects and lists", JSON.stringify({ a: { b: long, c: Object.values(long) }, d: [{ e: long }] })],
    ["nested objects", '{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":[{"i":null}]}}}}}}}}'],
    ["keys named __proto__", '{"__proto__":{"__proto__":1},"a":[{"__proto__":[]}]}'],
    ["repeated keys", '{"a":1,"b":{"c":{"d":1},"c":{"e":2}},"a":2}'],
    ["integers beyond 2^53 and floats", '{"a":9007199254740993,"b":[1.0,1e2,1.5,-0]}'],
    ["characters that are escaped", '{"<a>":"\\u2028&\\ud83d","b\\"":"é"}'],
    ["an unfinished document", '{"a":[1,2'],
    ["a byte that is no character", '{"a":é}'],
    ["a document nested too deep", "[".repeat(400) + "]".repeat(400)],
  ];
  const outcome = async (work: () => unknown): Promise<unknown> => {
    try {
      return await work();
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each(values)("when JSON is parsed: %s", async (_what, text) => {
    // Parsed by the careful parser, and by the built-in one where that is enough.
    for (const filler of ["", `,"filler":{${Object.keys(map(12_000)).map((key) => `"${key}":1`)}}`]) {
      const bytes = Buffer.from(text.endsWith("}") && text !== "{}" ? `${text.slice(0, -1)}${filler}}` : text);
      for (const floatLiterals of [true, false])
        expect(await outcome(() => parseLargeJson(bytes, { floatLiterals }))).toEqual(
          await outcome(() => parseJson(bytes, { floatLiterals })),
        );
    }
  });

  it.each(values)("when JSON is printed: %s", async (_what, text) => {
    const parsed = (await outcome(() => parseJson(text).value)) as object;
    expect(atOnce(stringifyJsonSteps(parsed))).toBe(stringifyJson(parsed));
    if (typeof parsed !== "object") return;
    const object = { kind: "A", metadata: { name: "a", labels: { a: "b" } }, ...parsed };
    const options = { fields: { "metadata.name": "a" }, stringify: stringifyJson };
    expect(atOnce(encodeStoredJsonSteps(object, stringifyJsonSteps, options))).toEqual(
      encodeStoredJson(object, options),
    );
  });

  it.each(values)("when YAML is printed: %s", async (_what, text) => {
    const parsed = await outcome(() => parseJson(text).value);
    expect(atOnce(stringifyYamlSteps(parsed))).toBe(stringifyYaml(parsed));
  });

  it.each(values)("when CBOR is printed: %s", async (_what, text) => {
    const parsed = await outcome(() => parseJson(text).value);
    expect(atOnce(encodeCborSteps(parsed))).toEqual(encodeCbor(parsed));
  });

  it.each<[string, Parameters<typeof schemas.of>[0], object]>([
    ["a map", "core/v1.ConfigMap", { metadata: { name: "a" }, data: { z: "é", ...map(700) } }],
    [
      "lists within lists, raw text and owners of fields",
      "apps/v1.Deployment",
      {
        metadata: {
          name: "a",
          managedFields: [
            { manager: "m", operation: "Update", fieldsType: "FieldsV1", fieldsV1: { "f:a": { ".": {} } } },
          ],
        },
        spec: {
          replicas: 0,
          selector: { matchLabels: { a: "b" } },
          template: {
            spec: {
              containers: Array.from({ length: 300 }, (_, index) => ({
                name: `c${index}`,
                args: ["a", ""],
                env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "a" } } }],
                resources: { requests: { cpu: "1", memory: "2Gi" } },
              })),
              volumes: [{ name: "v", emptyDir: {} }],
            },
          },
        },
      },
    ],
    ["nothing but a name", "core/v1.Pod", { metadata: { name: "a" } }],
  ])("when protobuf is written and read: %s", (_what, type, value) => {
    const schema = schemas.of(type);
    const object = schema.decode(value);
    const message = schema.encodeProtobuf(object);
    expect(atOnce(schema.encodeProtobufSteps?.(object) as Steps<Uint8Array>)).toEqual(message);
    const decoded = schema.decodeProtobuf(message);
    const inSteps = atOnce(schema.decodeProtobufSteps?.(message) as Steps<object>);
    expect(inSteps).toEqual(decoded);
    expect(keysIn(inSteps)).toEqual(keysIn(decoded));
  });

  it.each([
    ["entries of a map that are not sorted", (index: number) => (index * 7919) % 6007],
    ["sorted entries", (index: number) => index + 10_000],
  ])("when protobuf is read: %s", (_what, numberOf) => {
    const schema = schemas.of("core/v1.ConfigMap");
    const entries = Array.from({ length: 6000 }, (_, index) => {
      const key = Buffer.from(`k${numberOf(index)}`);
      const entry = Buffer.concat([Buffer.from([0x0a, key.length]), key, Buffer.from([0x12, 1, 0x76])]);
      return Buffer.concat([Buffer.from([0x12, entry.length]), entry]);
    });
    const message = Buffer.concat(entries);
    const decoded = schema.decodeProtobuf(message);
    const inSteps = atOnce(schema.decodeProtobufSteps?.(message) as Steps<object>);
    expect(Object.keys((decoded as { data: object }).data)).toHaveLength(6000);
    expect(keysIn(inSteps)).toEqual(keysIn(decoded));
    for (const cut of [message.subarray(0, -1), Buffer.concat([message, Buffer.from([7])])]) {
      let error: unknown;
      try {
        schema.decodeProtobuf(cut);
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toBeInstanceOf(Error);
      expect(() => atOnce(schema.decodeProtobufSteps?.(cut) as Steps<object>)).toThrow((error as Error).message);
    }
  });

  it("when a configuration is applied", () => {
    const manager = configMapManager();
    const object = (data: object) =>
      ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data }) as unknown as JsonObject;
    const live = manager.apply(undefined, object({ a: "1", ...map(600) }), "first", false);
    const unowned = object({ a: "1", ...map(1600) });
    for (const [config, name, force, given] of [
      [object({ a: "2", b: "3" }), "first", false, live],
      [object({ a: "2", b: "3" }), "second", true, live],
      [object({ a: "2" }), "second", false, live],
      [object(map(600)), "first", false, live],
      [object({ a: "2" }), "first", true, unowned],
      [object({ ...map(1700), a: "2" }), "first", false, unowned],
      [object({ ...map(600), a: "2", "key-7": "w" }), "second", false, live],
    ] as const) {
      const apply = (isLarge: boolean) => {
        try {
          return atOnce(manager.applySteps(given, config, name, { force, isLarge }));
        } catch (error) {
          return (error as Error).message;
        }
      };
      expect(apply(true)).toEqual(apply(false));
    }
    expect(() => manager.apply(live, object({ a: "2" }), "second", false)).toThrow("conflict");
  });

  it("when a merge patch is applied", () => {
    const target = { a: { b: map(1200), c: [1] }, d: "e" } as unknown as JsonObject;
    const parsed = (text: string) => JSON.parse(text) as JsonValue;
    const merged = (patch: string) =>
      atOnce(mergePatchSteps(target, parsed(patch), { isStrict: false, isLarge: true }));
    const { "key-7": _removed, ...others } = map(1200);
    const first = merged('{"a":{"b":{"key-7":null,"new":{"x":null},"key-8":"w"},"c":[null,{"x":null}]},"d":null}');
    expect(first).toEqual({ a: { b: { ...others, "key-8": "w", new: {} }, c: [null, {}] } });
    expect(keysIn(first)).toEqual(keysIn({ a: { b: { ...others, new: {} }, c: [null, {}] } }));
    const second = merged('{"a":null,"__proto__":1}');
    expect(Object.entries(second as object)).toEqual([
      ["d", "e"],
      ["__proto__", 1],
    ]);
    expect(merged("[null]")).toEqual([null]);
    expect(() => atOnce(mergePatchSteps(target, [], { isStrict: true }))).toThrow("cannot unmarshal array");
  });

  it("when a strategic patch is applied", () => {
    const { mergeType } = schemas.of("core/v1.ConfigMap");
    const more = map(1200);
    const patched = (data: object, patch: string | object) => {
      const live = { metadata: { name: "a" }, data, immutable: true } as unknown as JsonObject;
      const parsed = (typeof patch === "string" ? JSON.parse(patch) : patch) as JsonObject;
      const inSteps = atOnce(strategicMergePatchSteps(live, parsed, mergeType, true));
      expect(inSteps).toEqual(atOnce(strategicMergePatchSteps(live, parsed, mergeType)));
      return inSteps;
    };
    const small = { a: "0", b: "1" };
    const mixed = '{"data":{"a":null,"b":"2","new":"3","__proto__":"4"},"binaryData":{"x":null,"y":"z"}}';
    const few = patched(small, mixed);
    expect(patched({ ...small, ...more }, mixed)).toEqual({ ...few, data: { ...(few.data as object), ...more } });
    expect(patched(small, { data: { a: null, ...more } })).toEqual(patched({ b: "1", ...more }, {}));
    expect(patched({ ...small, ...more }, '{"data":{"$retainKeys":["a"],"a":"1"}}')).toEqual(patched({ a: "1" }, {}));
    expect(patched(small, { data: { $patch: "replace", ...more } })).toEqual(patched(more, {}));
    expect(patched({ ...small, ...more }, '{"data":{"$patch":"delete"}}')).toEqual(patched({}, {}));
    expect(patched(small, { binaryData: { x: null, ...more } }).binaryData).toEqual(more);
    expect(() => patched(small, { data: { $retainKeys: ["a"], ...more } })).toThrow("invalid patch format");
  });

  it("when a JSON patch is applied", () => {
    const shared = map(1200);
    const document = { a: { b: shared, c: shared }, list: [{ x: shared }, { y: 1 }], d: "e" } as unknown as JsonValue;
    const patches = [
      '[{"op":"add","path":"/a/b/new","value":1},{"op":"remove","path":"/a/b/key-7"},{"op":"replace","path":"/a/c/key-8","value":2}]',
      '[{"op":"move","from":"/list/0","path":"/list/0/moved"},{"op":"add","path":"/list/0/moved/x/z","value":3}]',
      '[{"op":"copy","from":"/a/b","path":"/a/e"},{"op":"add","path":"/a/e/f","value":4},{"op":"test","path":"/a/b/f","value":null}]',
      '[{"op":"test","path":"/a/b/key-1","value":"v"},{"op":"remove","path":"/a/none"}]',
      '[{"op":"add","path":"/d/x","value":1}]',
      '[{"op":"add","path":"/list/7/x","value":1}]',
      '[{"op":"replace","path":"","value":{"a":{}}},{"op":"add","path":"/a/~01~1","value":1}]',
    ];
    for (const patch of patches.map((text) => JSON.parse(text) as JsonValue)) {
      const before = JSON.stringify([document, patch]);
      const patched = (isLarge: boolean): unknown => {
        try {
          return atOnce(jsonPatchSteps(document, patch, { isLarge }));
        } catch (error) {
          return (error as Error).message;
        }
      };
      expect(patched(true)).toEqual(patched(false));
      expect(keysIn(patched(true))).toEqual(keysIn(patched(false)));
      expect(JSON.stringify([document, patch])).toBe(before);
    }
  });

  it.each<[string, object]>([
    ["strings", { z: "a", ...map(6000) }],
    ["a null", { z: null, ...map(6000) }],
    ["a key named __proto__", JSON.parse(`{"__proto__":"a",${JSON.stringify(map(6000)).slice(1)}`)],
    ["a number", { z: 1, ...map(6000) }],
  ])("when a ConfigMap is decoded: %s", async (_what, data) => {
    const schema = schemas.of("core/v1.ConfigMap");
    const value = () => JSON.parse(JSON.stringify({ metadata: { name: "a" }, odd: 1, data })) as object;
    const decode = (steps: boolean) =>
      outcome(() => {
        const problems: string[] = [];
        const options = { problems, given: true, reuses: true };
        const read = steps
          ? atOnce(schema.decodeSteps?.(value(), options) as Steps<object>)
          : schema.decode(value(), options);
        return [keysIn(read), read, problems];
      });
    expect(await decode(true)).toEqual(await decode(false));
  });

  it("when values are compared", () => {
    const deployment = (env: object[], labels: object) =>
      ({
        metadata: { name: "a", labels },
        spec: { template: { spec: { containers: [{ name: "c", env }], nodeSelector: map(700) } } },
      }) as unknown as JsonObject;
    const env = Array.from({ length: 700 }, (_, index) => ({ name: `E${index}`, value: "v" }));
    const changed = env.slice(1).map((entry, index) => (index % 7 === 0 ? { ...entry, value: "w" } : entry));
    const versions = [deployment(env, {}), deployment(changed, { a: "b" }), deployment([], map(600)), {}];
    const { mergeType } = schemas.of("apps/v1.Deployment");
    const paths = (comparison: Comparison) => Object.values(comparison).map((set: FieldSet) => setToFieldsV1(set));
    for (const before of versions)
      for (const after of versions)
        for (const wholeObjects of [true, false])
          expect(paths(atOnce(compareSteps(mergeType, before, after, { wholeObjects })))).toEqual(
            paths(compare(mergeType, before, after, { wholeObjects })),
          );
  });

  it("when owners of fields are parsed", () => {
    const fields = (more: object = {}) =>
      ({ "f:data": { ".": {}, ...map(10), "f:a": {}, 'k:{"b":1,"a":2}': { "f:x": {} }, ...more } }) as JsonObject;
    const entry = (fieldsV1: JsonObject) => ({
      operation: "Update",
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      fieldsV1,
    });
    const read = (fieldsV1: JsonObject, isPrepared: boolean) => {
      const entries = [entry(structuredClone(fieldsV1))] as unknown as JsonValue;
      if (isPrepared) atOnce(prepareManagedSteps(entries));
      try {
        return [...decodeManaged(entries, true).fields.values()].map(({ set }) => setToFieldsV1(set));
      } catch (error) {
        return (error as Error).message;
      }
    };
    for (const some of [fields(), fields({ "f:b": [] }), fields({ "k:{": {} }), {}])
      expect(read(some, true)).toEqual(read(some, false));
  });

  it("when keys are sorted", () => {
    const keys = Array.from({ length: 20_001 }, (_, index) => `k${((index * 7919) % 20_001).toString(36)}\u{1f600}`);
    expect(atOnce(sortUtf8Steps([...keys]))).toEqual(sortUtf8([...keys]));
    expect(atOnce(sortUtf8Steps(["b", "a"]))).toEqual(["a", "b"]);
  });

  it("when sets of fields are printed", () => {
    const fields = {
      "f:metadata": { "f:labels": { ".": {}, "f:b": {}, "f:a": {} } },
      "f:spec": Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`f:key-${index}`, {}])),
    };
    const printed = (steps: boolean) => {
      const set = fieldsV1ToSet(structuredClone(fields), true);
      return JSON.stringify(steps ? atOnce(setToFieldsV1Steps(set)) : setToFieldsV1(set));
    };
    expect(printed(true)).toBe(printed(false));
  });

  it("when fields get their owners", () => {
    const manager = configMapManager();
    const object = (data: object, metadata: object = {}) =>
      ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", ...metadata }, data }) as unknown as JsonObject;
    const created = manager.update(undefined, object({ a: "1", b: "2" }), "first");
    expect(atOnce(manager.updateSteps(undefined, object({ a: "1", b: "2" }), "first"))).toEqual(created);
    const next = object({ b: "3", c: "4" }, { labels: { a: "b" } });
    const updated = manager.update(created, next, "second");
    expect(atOnce(manager.updateSteps(created, next, "second"))).toEqual(updated);
    expect((updated.metadata as JsonObject).managedFields).toHaveLength(2);
  });

  it.each([{}, { a: null }, { a: { b: 1 } }, { a: [null] }])(
    "when a custom object with a large map and %j in it is decoded, with the same problems",
    (inMap) => {
      const schema = thingSchema();
      const value = {
        metadata: { name: "a", odd: 1 },
        spec: { map: { z: "a", ...inMap, ...map(2500) }, unknown: { b: [{ d: 1n, c: 2n ** 70n }] } },
        other: [1],
      };
      const problems: [string[], string[]] = [[], []];
      const once = schema.decode(structuredClone(value), { problems: problems[0] });
      const inSteps = atOnce(schema.decodeSteps(structuredClone(value), { problems: problems[1] }));
      expect(inSteps).toEqual(once);
      expect(keysIn(inSteps)).toEqual(keysIn(once));
      expect(problems[1]).toEqual(problems[0]);
      expect(problems[0].length).toBeGreaterThan(1);
      expect(keysIn(atOnce(schema.canonicalizeSteps(inSteps)))).toEqual(keysIn(schema.canonicalize(once)));
    },
  );
});

/** Keeps the owners of the fields of ConfigMaps. */
function configMapManager() {
  const schema = schemas.of("core/v1.ConfigMap");
  return createFieldManager({
    apiVersion: "v1",
    kind: "ConfigMap",
    now: () => new Date(0),
    schemaFor: () => schema.mergeType,
    convert: (object) => object,
  });
}

/** Keys at all depths, in order. */
function keysIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysIn);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.entries(value).map(([key, member]) => [key, keysIn(member)]);
}
