import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../runtime/lib/json-object.ts";
import { PatchError } from "../../runtime/patch/patch-error.ts";
import { applyMergePatch } from "./fixtures/apply-patch.ts";

describe("a merge patch", () => {
  it.each<[string, JsonObject, JsonValue, JsonObject]>([
    ["sets a member", { a: "b" }, { a: "c" }, { a: "c" }],
    ["adds a member", { a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    ["removes a member", { a: "b", b: "c" }, { a: null }, { b: "c" }],
    ["removes what is not there", { a: "b" }, { z: null }, { a: "b" }],
    ["merges deeply", { a: { b: "c", d: "e" } }, { a: { b: "x", d: null, f: 1 } }, { a: { b: "x", f: 1 } }],
    ["replaces lists", { a: ["b", "c"] }, { a: ["d"] }, { a: ["d"] }],
    ["replaces a list by a map, without its nulls", { a: [1] }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
    ["replaces a map by a list", { a: { b: 1 } }, { a: [{ c: null }] }, { a: [{ c: null }] }],
    ["adds a map without its nulls", {}, { a: { b: { c: null } } }, { a: { b: {} } }],
    [
      "adds a list without nulls in its maps, but with its own",
      {},
      { a: [null, { b: null, c: 1 }] },
      { a: [null, { c: 1 }] },
    ],
    ["sets what was null", { a: null }, { a: { b: 1 } }, { a: { b: 1 } }],
    [
      "keeps integers that no double can hold",
      { a: 9007199254740993n as never },
      { b: -9007199254740995n as never },
      { a: 9007199254740993n as never, b: -9007199254740995n as never },
    ],
    ["does nothing if it is empty", { a: 1 }, {}, { a: 1 }],
  ])("%s", (_name, target, patch, expected) => {
    const before = structuredClone(target);
    expect(applyMergePatch(target, patch)).toEqual(expected);
    expect(target).toEqual(before);
  });

  it.each<[JsonValue, string]>([
    [null, "Invalid JSON Patch"],
    [[], "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}"],
    ["x", "error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}"],
    [7, "error decoding patch: json: cannot unmarshal number into Go value of type map[string]interface {}"],
    [true, "error decoding patch: json: cannot unmarshal bool into Go value of type map[string]interface {}"],
  ])("is not %j", (patch, message) => {
    expect(() => applyMergePatch({}, patch)).toThrow(new PatchError("BadPatch", message));
  });

  it("cannot change an object's prototype", () => {
    const patch = JSON.parse('{"__proto__":{"polluted":1},"a":{"constructor":{"x":1}}}') as JsonObject;
    const result = applyMergePatch({ a: {} }, patch);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(result)).toEqual(["a", "__proto__"]);
    expect(JSON.stringify(result)).toBe('{"a":{"constructor":{"x":1}},"__proto__":{"polluted":1}}');
  });
});
