import { describe, expect, it } from "vitest";
import { UNTYPED_ATOMIC } from "../../runtime/contract/merge-schema.ts";
import type { JsonObject, JsonValue } from "../../runtime/lib/json-object.ts";
import { PatchError } from "../../runtime/patch/patch-error.ts";
import { ANY, atomicList, listMap, mapOf, NUMBER, STRING, setOf, struct } from "../apply/fixtures/thing.ts";
import { applyStrategicMergePatch } from "./fixtures/apply-patch.ts";

const ENV = struct({ name: STRING, value: STRING });
const ITEM = struct({
  name: STRING,
  value: STRING,
  port: NUMBER,
  args: { type: atomicList(STRING) },
  env: { type: listMap(ENV, "name"), patchStrategies: ["merge"], patchMergeKey: "name" },
});
const TYPE = struct({
  text: STRING,
  either: ANY,
  items: { type: listMap(ITEM, "name"), patchStrategies: ["merge", "retainKeys"], patchMergeKey: "name" },
  words: { type: setOf(STRING), patchStrategies: ["merge"] },
  plain: atomicList(STRING),
  plainItems: atomicList(ITEM),
  keyless: { type: listMap(ITEM, "name"), patchStrategies: ["merge"] },
  labels: mapOf(STRING),
  nestedMap: mapOf(mapOf(STRING)),
  part: { type: struct({ a: STRING, b: STRING, inner: struct({ x: STRING }) }), patchStrategies: ["retainKeys"] },
  swapped: { type: struct({ a: STRING, b: STRING }), patchStrategies: ["replace"] },
  raw: UNTYPED_ATOMIC,
});

const item = (name: string, more: JsonObject = {}) => ({ name, ...more });

describe("a strategic merge patch", () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ["sets and adds fields", { text: "a" }, { text: "b", either: 1 }, { text: "b", either: 1 }],
    [
      "removes a field with null",
      { text: "a", labels: { a: "1" } },
      { text: null, labels: { a: null } },
      { labels: {} },
    ],
    [
      "merges structs",
      { part: { a: "1", inner: { x: "1" } } },
      { part: { b: "2" } },
      { part: { a: "1", b: "2", inner: { x: "1" } } },
    ],
    [
      "replaces a struct whose strategy says so",
      { swapped: { a: "1" } },
      { swapped: { b: "2" } },
      { swapped: { b: "2" } },
    ],
    ["replaces lists without a strategy", { plain: ["a", "b"] }, { plain: ["c"] }, { plain: ["c"] }],
    [
      "replaces lists of maps without a strategy, directives and all",
      { plainItems: [item("a")] },
      { plainItems: [{ name: "b", $patch: "delete" }] },
      { plainItems: [{ name: "b", $patch: "delete" }] },
    ],
    ["changes what has another type", { either: { a: "1" } }, { either: "x" }, { either: "x" }],
    [
      "adds a map without nulls and directives",
      {},
      { part: { a: null, b: "1", inner: { $patch: "delete", x: "1" } } },
      { part: { b: "1" } },
    ],
    [
      "merges lists by key",
      { items: [item("a", { value: "1" }), item("b")] },
      { items: [item("a", { port: 2 })] },
      { items: [item("a", { value: "1", port: 2 }), item("b")] },
    ],
    [
      "puts new entries first, as the patch leads",
      { items: [item("a"), item("b")] },
      { items: [item("c")] },
      { items: [item("c"), item("a"), item("b")] },
    ],
    [
      "keeps the live order of what both know",
      { items: [item("a"), item("b"), item("c")] },
      { items: [item("c"), item("a")] },
      { items: [item("b"), item("c"), item("a")] },
    ],
    [
      "merges lists in lists",
      { items: [item("a", { env: [{ name: "X", value: "1" }] })] },
      { items: [item("a", { env: [{ name: "Y", value: "2" }] })] },
      {
        items: [
          item("a", {
            env: [
              { name: "Y", value: "2" },
              { name: "X", value: "1" },
            ],
          }),
        ],
      },
    ],
    [
      "replaces lists in entries",
      { items: [item("a", { args: ["1", "2"] })] },
      { items: [item("a", { args: ["3"] })] },
      { items: [item("a", { args: ["3"] })] },
    ],
    [
      "deletes an entry",
      { items: [item("a"), item("b")] },
      { items: [{ name: "a", $patch: "delete" }] },
      { items: [item("b")] },
    ],
    [
      "deletes every entry with the key",
      { items: [item("a"), item("b"), item("a")] },
      { items: [{ name: "a", $patch: "delete" }] },
      { items: [item("b")] },
    ],
    [
      "deletes what is not there",
      { items: [item("a")] },
      { items: [{ name: "z", $patch: "delete" }] },
      { items: [item("a")] },
    ],
    [
      "deletes and adds at once",
      { items: [item("a", { value: "1" })] },
      { items: [{ name: "a", $patch: "delete" }, item("a", { port: 1 })] },
      { items: [item("a", { port: 1 })] },
    ],
    [
      "replaces a list with a directive",
      { items: [item("a"), item("b")] },
      { items: [item("c"), { $patch: "replace" }] },
      { items: [item("c")] },
    ],
    ["empties a list with a directive", { items: [item("a")] }, { items: [{ $patch: "replace" }] }, { items: [] }],
    [
      "replaces a map with a directive",
      { labels: { a: "1" } },
      { labels: { $patch: "replace", b: "2" } },
      { labels: { b: "2" } },
    ],
    ["empties a map with a directive", { labels: { a: "1" } }, { labels: { $patch: "delete" } }, { labels: {} }],
    ["replaces the whole", { text: "a", either: 1 }, { $patch: "replace", text: "b" }, { text: "b" }],
    [
      "replaces an entry that it merges with",
      { items: [item("a", { value: "1" })] },
      { items: [item("a", { env: [{ $patch: "replace" }, { name: "N" }] })] },
      { items: [item("a", { value: "1", env: [{ name: "N" }] })] },
    ],
    [
      "leaves out directives in new lists",
      {},
      { items: [item("a"), { name: "b", $patch: "delete" }] },
      { items: [item("a")] },
    ],
    ["merges words", { words: ["a", "b"] }, { words: ["c", "a"] }, { words: ["c", "a", "b"] }],
    [
      "deletes words",
      { words: ["a", "b", "c"] },
      { "$deleteFromPrimitiveList/words": ["b", "z"] },
      { words: ["a", "c"] },
    ],
    [
      "deletes words from a list that it otherwise replaces",
      { plain: ["a", "b"] },
      { "$deleteFromPrimitiveList/plain": ["a"] },
      { plain: ["b"] },
    ],
    ["deletes words of nothing", {}, { "$deleteFromPrimitiveList/words": ["b"] }, {}],
    ["removes a list by deleting null from it", { words: ["a"] }, { "$deleteFromPrimitiveList/words": null }, {}],
    [
      "adds and deletes words in order",
      { words: ["a", "b"] },
      { words: ["c"], "$deleteFromPrimitiveList/words": ["a"], "$setElementOrder/words": ["c", "b"] },
      { words: ["c", "b"] },
    ],
    [
      "retains keys",
      { part: { a: "1", b: "2", inner: { x: "1" } } },
      { part: { $retainKeys: ["a", "b"], a: "9" } },
      { part: { a: "9", b: "2" } },
    ],
    [
      "retains keys of an entry",
      { items: [item("a", { value: "1", port: 1 })] },
      { items: [{ name: "a", $retainKeys: ["name", "port"], value: null }] },
      { items: [item("a", { port: 1 })] },
    ],
    [
      "orders entries",
      { items: [item("a"), item("b"), item("c")] },
      { "$setElementOrder/items": [{ name: "c" }, { name: "a" }, { name: "b" }] },
      { items: [item("c"), item("a"), item("b")] },
    ],
    [
      "orders entries among those that only the server has",
      { items: [item("s"), item("a"), item("t"), item("b")] },
      { "$setElementOrder/items": [{ name: "b" }, { name: "a" }] },
      { items: [item("s"), item("t"), item("b"), item("a")] },
    ],
    [
      "lets an empty order put n1 where a real server puts it",
      { items: [item("m1"), item("m2"), item("m3")] },
      { items: [item("n1")], "$setElementOrder/items": [] },
      { items: [item("m1"), item("m2"), item("m3"), item("n1")] },
    ],
    [
      "lets an empty order put n1 n2 where a real server puts it",
      { items: [item("m1"), item("m2"), item("m3")] },
      { items: [item("n1"), item("n2")], "$setElementOrder/items": [] },
      { items: [item("m1"), item("m2"), item("m3"), item("n2"), item("n1")] },
    ],
    [
      "lets an empty order put n1 m2 n2 where a real server puts it",
      { items: [item("m1"), item("m2"), item("m3")] },
      { items: [item("n1"), item("m2"), item("n2")], "$setElementOrder/items": [] },
      { items: [item("n2"), item("m1"), item("m2"), item("m3"), item("n1")] },
    ],
    [
      "lets an empty order put m3 n2 m1 n3 where a real server puts it",
      { items: [item("m1"), item("m2"), item("m3")] },
      { items: [item("m3"), item("n2"), item("m1"), item("n3")], "$setElementOrder/items": [] },
      { items: [item("n3"), item("m1"), item("n2"), item("m2"), item("m3")] },
    ],
    [
      "orders what it adds",
      { items: [item("a"), item("b")] },
      { items: [item("n")], "$setElementOrder/items": [{ name: "a" }, { name: "n" }, { name: "b" }] },
      { items: [item("a"), item("n"), item("b")] },
    ],
    [
      "orders a list that is new",
      {},
      { items: [item("a"), item("b")], "$setElementOrder/items": [{ name: "a" }, { name: "b" }] },
      { items: [item("a"), item("b")] },
    ],
    ["orders nothing", {}, { "$setElementOrder/items": [{ name: "a" }] }, {}],
    [
      "orders what is left after deletions",
      { items: [item("a"), item("b"), item("c")] },
      { items: [{ name: "b", $patch: "delete" }], "$setElementOrder/items": [{ name: "c" }, { name: "a" }] },
      { items: [item("c"), item("a")] },
    ],
    [
      "orders words",
      { words: ["a", "b", "c"] },
      { "$setElementOrder/words": ["c", "b", "a"] },
      { words: ["c", "b", "a"] },
    ],
    ["does nothing if it is empty", { text: "a" }, {}, { text: "a" }],
  ])("%s", (_name, live, patch, expected) => {
    const before = structuredClone([live, patch]);
    expect(applyStrategicMergePatch(live, patch, TYPE)).toEqual(expected);
    expect([live, patch]).toEqual(before);
  });

  it.each<[string, JsonObject, JsonValue, PatchError["code"], string]>([
    [
      "an unknown directive",
      { labels: {} },
      { labels: { $patch: "explode" } },
      "PatchFailed",
      "unknown patch type: explode in map: map[$patch:explode]",
    ],
    [
      "merge as a directive of a map",
      { labels: {} },
      { labels: { $patch: "merge" } },
      "PatchFailed",
      "unknown patch type: merge in map: map[$patch:merge]",
    ],
    [
      "an unknown directive in a list",
      { items: [item("a")] },
      { items: [{ name: "a", $patch: "explode" }] },
      "PatchFailed",
      "unknown patch type: explode in map: map[$patch:explode name:a]",
    ],
    [
      "merge as a directive in a list",
      { items: [item("a")] },
      { items: [{ $patch: "merge" }] },
      "PatchFailed",
      "merging lists cannot yet be specified in the patch",
    ],
    [
      "no merge key",
      { items: [item("a")] },
      { items: [{ value: "1" }] },
      "PatchFailed",
      "map: map[value:1] does not contain declared merge key: name",
    ],
    [
      "a deletion without key",
      { items: [item("a")] },
      { items: [{ $patch: "delete" }] },
      "PatchFailed",
      "map: map[$patch:delete] does not contain declared merge key: name",
    ],
    [
      "entries of two kinds",
      { items: [item("a")] },
      { items: ["a"] },
      "PatchFailed",
      "list element types are not identical: [[map[name:a]] [a]]",
    ],
    [
      "lists in lists",
      { words: [["a"]] },
      { words: [["b"]] },
      "PatchNotApplicable",
      "lists of lists are not supported",
    ],
    [
      "a merged list without a key",
      { keyless: [item("a")] },
      { keyless: [item("b")] },
      "PatchFailed",
      "cannot merge lists without merge key for struct",
    ],
    [
      "a field that is not there",
      { other: { a: 1 } },
      { other: { b: 1 } },
      "PatchFailed",
      'unable to find api field in struct Struct for the json field "other"',
    ],
    [
      "a map of maps",
      { nestedMap: { a: { b: "1" } } },
      { nestedMap: { a: { c: "1" } } },
      "PatchFailed",
      "merging an object in json but data type is not struct, instead is: map",
    ],
    [
      "a map in something untyped",
      { raw: { a: { b: 1 } } },
      { raw: { a: { c: 1 } } },
      "PatchFailed",
      'unable to find api field in struct RawExtension for the json field "a"',
    ],
    [
      "keys to retain that are no list",
      { part: {} },
      { part: { $retainKeys: "a" } },
      "BadPatch",
      "invalid patch format of retainKeys",
    ],
    [
      "a key that is not to be retained",
      { part: {} },
      { part: { $retainKeys: ["a"], b: "1" } },
      "BadPatch",
      "invalid patch format of retainKeys",
    ],
    ["an order of nothing", {}, { $setElementOrder: [] }, "BadPatch", "invalid patch format of setElementOrder list"],
    [
      "a deletion from nothing",
      {},
      { $deleteFromPrimitiveList: [] },
      "BadPatch",
      "invalid patch format of primitive list",
    ],
    [
      "an order that is no list",
      { items: [] },
      { "$setElementOrder/items": "a" },
      "PatchFailed",
      "expected a []interface {}, but received a string",
    ],
    [
      "an order of what is no list",
      { text: "a" },
      { "$setElementOrder/text": ["a"] },
      "PatchFailed",
      "expected a []interface {}, but received a string",
    ],
    [
      "an order that does not name all",
      { items: [item("a")] },
      { items: [item("z")], "$setElementOrder/items": [{ name: "a" }] },
      "PatchFailed",
      "The order in patch list:\n[map[name:z]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
    ],
    [
      "an entry that is null beside an order",
      { items: [item("a")] },
      { items: [item("a"), null], "$setElementOrder/items": [{ name: "a" }] },
      "PatchFailed",
      "expected a map[string]interface {}, but received a %!s(<nil>)",
    ],
    [
      "an entry of another type, even where the order does not name all",
      { items: [item("a")] },
      { items: [item("z"), "x"], "$setElementOrder/items": [{ name: "a" }] },
      "PatchFailed",
      "expected a map[string]interface {}, but received a string",
    ],
    [
      "a list for a patch",
      {},
      [],
      "BadPatch",
      "json: cannot unmarshal array into Go value of type map[string]interface {}",
    ],
    [
      "a number for a patch",
      {},
      7,
      "BadPatch",
      "json: cannot unmarshal number into Go value of type map[string]interface {}",
    ],
  ])("is refused with %s", (_name, live, patch, code, message) => {
    expect(() => applyStrategicMergePatch(live, patch, TYPE)).toThrow(new PatchError(code, message));
  });

  it("treats keys such as __proto__ as ordinary names", () => {
    const patch = JSON.parse('{"labels":{"__proto__":"1","constructor":"2"}}') as JsonObject;
    const result = applyStrategicMergePatch({ labels: { a: "1" } }, patch, TYPE);
    expect(JSON.stringify(result)).toBe('{"labels":{"a":"1","__proto__":"1","constructor":"2"}}');
  });
});
