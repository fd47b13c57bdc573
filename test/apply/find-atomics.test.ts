import { describe, expect, it } from "vitest";
import { findAtomics } from "../../runtime/apply/typed/find-atomics.ts";
import type { ListType, MapType, MergeType } from "../../runtime/contract/merge-schema.ts";
import { DEDUCED } from "../../runtime/contract/merge-schema.ts";
import type { JsonValue } from "../../runtime/lib/json-object.ts";

const text: MergeType = { kind: "scalar", of: "string" };
const struct = (fields: Record<string, MergeType>, topology: MapType["topology"] = "granular"): MapType => ({
  kind: "map",
  topology,
  fields: new Map(Object.entries(fields).map(([name, type]) => [name, { type }])),
});
const list = (element: MergeType, topology: ListType["topology"], keys: string[] = []): ListType => ({
  kind: "list",
  topology,
  keys,
  element,
});

describe("the atomic fields in an apply configuration", () => {
  const type = struct({
    name: text,
    selector: struct({ app: text }, "atomic"),
    items: list(struct({ name: text, args: list(text, "atomic") }), "map", ["name"]),
    tags: list(text, "set"),
    free: DEDUCED,
  });

  it("are none if all lists, maps and structs are granular", () => {
    expect(findAtomics(type, { name: "x", items: [{ name: "a" }], tags: ["t"], free: { a: 1 } })).toEqual([]);
  });

  it("are named by their path", () => {
    const configuration: JsonValue = {
      selector: { app: "x" },
      items: [{ name: "a" }, { name: "b", args: ["c"] }],
      free: [1],
    };
    expect(findAtomics(type, configuration)).toEqual([".selector", ".items[1].args", ".free"]);
  });
});
