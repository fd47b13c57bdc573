import { describe, expect, it } from "vitest";
import { lazyField, lazyMapType, type MapType } from "../../../runtime/contract/merge-schema.ts";
import { mergeTypeOf } from "../../../runtime/kinds/custom/schema/merge-type.ts";

describe("the merge type of the metadata of a custom kind", () => {
  it("equals that of ObjectMeta, although it is computed on first use", () => {
    const name = lazyField(() => ({ kind: "scalar", of: "string" }), { alwaysPresent: true });
    const metadata = lazyMapType(() => ({ fields: new Map([["name", name]]) }));
    const type = mergeTypeOf({ type: "object" }, "kubernetes", metadata) as MapType;
    const merged = type.fields.get("metadata")?.type as MapType;
    expect(merged.fields.get("name")).toEqual({ type: { kind: "scalar", of: "string" } });
  });
});
