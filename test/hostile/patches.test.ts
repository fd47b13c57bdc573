import { describe, expect, it } from "vitest";
import { createFieldManager } from "../../runtime/apply/managed-fields/field-manager.ts";
import type { JsonObject, JsonValue } from "../../runtime/lib/json-object.ts";
import { applyJsonPatch } from "../../runtime/patch/json-patch.ts";
import { listMap, mapOf, STRING, setOf, struct, THING } from "../apply/fixtures/thing.ts";
import { applyMergePatch, applyStrategicMergePatch } from "../patch/fixtures/apply-patch.ts";
import { threadCpuMs } from "../tools/thread-cpu.ts";
import { expectLinear } from "./growth.ts";

const list = <T>(size: number, make: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, index) => make(index));
const MOST_OPERATIONS = 10_000;
const LONG_LIST = 300_000;

/** CPU time of this thread in milliseconds. */
function timeOf(run: () => unknown): number {
  const start = threadCpuMs();
  try {
    run();
  } catch {
    // A rejection is a valid response.
  }
  return threadCpuMs() - start;
}

describe("a JSON patch of 10,000 operations on a list of 300,000 entries", () => {
  const document = { list: list(LONG_LIST, (index) => index % 10), name: "x" };
  it.each<[string, (index: number) => JsonObject]>([
    ["adds in front", () => ({ op: "add", path: "/list/0", value: 1 })],
    ["removes in front", () => ({ op: "remove", path: "/list/0" })],
    ["moves from the end to the front", () => ({ op: "move", from: "/list/-1", path: "/list/0" })],
    ["moves from the front to the end", () => ({ op: "move", from: "/list/0", path: "/list/-" })],
    ["copies to the front", () => ({ op: "copy", from: "/list/5", path: "/list/0" })],
    ["copies all of it", (index) => ({ op: "copy", from: "/list", path: `/copy${index}` })],
    [
      "moves it to and fro",
      (index) => ({ op: "move", from: index % 2 ? "/b" : "/list", path: index % 2 ? "/list" : "/b" }),
    ],
    ["replaces", (index) => ({ op: "replace", path: `/list/${index}`, value: 2 })],
    ["tests", () => ({ op: "test", path: "/list/7", value: 7 })],
  ])("does not take seconds: %s", (_what, operation) => {
    const patch = list(MOST_OPERATIONS, operation);
    expect(timeOf(() => applyJsonPatch(document, patch))).toBeLessThan(2000);
  });

  it("is refused at once if a path has a million steps", () => {
    const patch = [{ op: "add", path: "/a".repeat(1_400_000), value: 1 }];
    expect(timeOf(() => applyJsonPatch(document, patch))).toBeLessThan(50);
    expect(() => applyJsonPatch(document, patch)).toThrow("a path with more than 10000 steps: missing value");
  });

  it("is applied where the list is not that long", () => {
    const patch = list(MOST_OPERATIONS, () => ({ op: "add", path: "/list/0", value: 1 }));
    const patched = applyJsonPatch({ list: list(4000, () => 0) }, patch) as { list: number[] };
    expect(patched.list.length).toBe(14_000);
  });
});

const ENV = struct({ name: STRING, value: STRING });
const ITEM = struct({
  name: STRING,
  labels: mapOf(STRING),
  env: { type: listMap(ENV, "name"), patchStrategies: ["merge"], patchMergeKey: "name" },
});
const TYPE = struct({
  items: { type: listMap(ITEM, "name"), patchStrategies: ["merge"], patchMergeKey: "name" },
  words: { type: setOf(STRING), patchStrategies: ["merge"] },
  labels: mapOf(STRING),
});
const names = (size: number, more: (index: number) => JsonObject = () => ({})) =>
  list(size, (index) => ({ name: `n${index}`, ...more(index) }));
const words = (size: number) => list(size, (index) => `n${index}`);

describe("a strategic merge patch takes time in proportion to the patch and the object", () => {
  it.each<[string, (size: number) => JsonObject, (size: number) => JsonObject]>([
    [
      "that changes every entry",
      (n) => ({ items: names(n) }),
      (n) => ({ items: names(n, () => ({ labels: { a: "b" } })) }),
    ],
    [
      "that adds entries",
      (n) => ({ items: names(n) }),
      (n) => ({ items: list(n, (index) => ({ name: `other${index}` })) }),
    ],
    [
      "that deletes every entry",
      (n) => ({ items: names(n) }),
      (n) => ({ items: names(n, () => ({ $patch: "delete" })) }),
    ],
    ["that orders entries", (n) => ({ items: names(n) }), (n) => ({ "$setElementOrder/items": names(n).reverse() })],
    [
      "that orders and changes entries",
      (n) => ({ items: names(n) }),
      (n) => ({
        "$setElementOrder/items": names(n).reverse(),
        items: names(n, () => ({ labels: { a: "b" } })).reverse(),
      }),
    ],
    ["that merges words", (n) => ({ words: words(n) }), (n) => ({ words: words(n).reverse() })],
    ["that deletes words", (n) => ({ words: words(n) }), (n) => ({ "$deleteFromPrimitiveList/words": words(n) })],
    ["that orders words", (n) => ({ words: words(n) }), (n) => ({ "$setElementOrder/words": words(n).reverse() })],
    [
      "that removes map entries",
      (n) => ({ labels: Object.fromEntries(words(n).map((word) => [word, "x"])) }),
      (n) => ({ labels: Object.fromEntries(words(n).map((word) => [word, null])) }),
    ],
    [
      "that retains nothing",
      (n) => ({ labels: Object.fromEntries(words(n).map((word) => [word, "x"])) }),
      (n) => ({ labels: { $retainKeys: words(n) } }),
    ],
  ])("%s", async (_what, live, patch) => {
    await expectLinear(
      (size) => [live(size), patch(size)] as const,
      ([object, change]) => applyStrategicMergePatch(object, change, TYPE),
      { size: 5000 },
    );
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["a map", { labels: Object.fromEntries(words(20_000).map((word) => [word, "x"])) }, { labels: { a: "b" } }],
    ["a list", { env: names(20_000) }, { env: [{ name: "a" }] }],
  ])("is refused where it merges an entry that holds %s again and again", (_what, content, change) => {
    const live = { items: [{ name: "n", ...content }] };
    const patch = { items: list(20_000, () => ({ name: "n", ...change })) };
    expect(timeOf(() => applyStrategicMergePatch(live, patch, TYPE))).toBeLessThan(10_000);
    expect(() => applyStrategicMergePatch(live, patch, TYPE)).toThrow("too often");
  });
});

describe("a merge patch takes time in proportion to the patch and the object", () => {
  const wide = (size: number, value: JsonValue) => Object.fromEntries(words(size).map((word) => [word, value]));
  it.each<[string, JsonValue]>([
    ["that sets", "y"],
    ["that removes", null],
    ["that adds lists", [{ a: null }]],
  ])("%s", async (_what, value) => {
    await expectLinear(
      (size) => [wide(size, "x"), wide(size, value)] as const,
      ([object, change]) => applyMergePatch({ spec: object }, { spec: change }),
      { size: 5000 },
    );
  });
});

describe("server-side apply takes time in proportion to the object", () => {
  const manager = createFieldManager({
    apiVersion: "example.com/v1",
    kind: "Thing",
    now: () => new Date(0),
    schemaFor: () => THING,
    convert: (object, apiVersion) => ({ ...object, apiVersion }),
  });
  const thing = (spec: JsonObject): JsonObject => ({
    apiVersion: "example.com/v1",
    kind: "Thing",
    metadata: { name: "one" },
    spec,
  });

  it.each<[string, (size: number) => JsonObject, (size: number) => JsonObject]>([
    ["to a list map", (n) => ({ entries: names(n) }), (n) => ({ entries: names(n).reverse() })],
    ["to a list map that loses its entries", (n) => ({ entries: names(n) }), () => ({})],
    [
      "to a list map with other entries",
      (n) => ({ entries: names(n) }),
      (n) => ({ entries: list(n, (i) => ({ name: `other${i}` })) }),
    ],
    ["to a set", (n) => ({ set: words(n) }), (n) => ({ set: words(n).reverse() })],
    ["to a set that loses its items", (n) => ({ set: words(n) }), () => ({})],
    ["to a set with other items", (n) => ({ set: words(n) }), (n) => ({ set: list(n, (i) => `other${i}`) })],
  ])("%s", async (_what, before, after) => {
    await expectLinear(
      (size) => {
        const live = manager.apply(undefined, thing(before(size)), "alpha", false);
        return [live, thing(after(size))] as const;
      },
      ([live, config]) => {
        manager.apply(live, config, "beta", true);
        manager.apply(live, config, "alpha", true);
        manager.update(live, config, "gamma");
      },
      { size: 2000, boundMs: 5000 },
    );
  });
});
