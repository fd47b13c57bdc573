import { expect, it } from "vitest";
import { jsonPatchOf } from "../../runtime/webhook/json-patch-of.ts";

it("adds, replaces and removes what a hook changed, and leaves what only the canonical form changed", () => {
  const given = { kept: "1.0", size: 1, gone: true, labels: { "a/b": "c" } };
  const before = { kept: "1", size: 1, gone: true, labels: { "a/b": "c" } };
  const after = { kept: "1", size: 2, labels: { "a/b": "d" }, title: "new" };
  expect(jsonPatchOf(given, before, after)).toEqual([
    { op: "replace", path: "/size", value: 2 },
    { op: "remove", path: "/gone" },
    { op: "replace", path: "/labels/a~1b", value: "d" },
    { op: "add", path: "/title", value: "new" },
  ]);
});

it("compares keys such as toString, which JavaScript objects inherit, by the values of the object", () => {
  expect(jsonPatchOf({ toString: "a" }, { toString: "a" }, { constructor: "b" })).toEqual([
    { op: "remove", path: "/toString" },
    { op: "add", path: "/constructor", value: "b" },
  ]);
});
