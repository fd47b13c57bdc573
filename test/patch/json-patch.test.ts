import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FloatLiteral } from "../../runtime/lib/float-literal.ts";
import type { JsonValue } from "../../runtime/lib/json-object.ts";
import { applyJsonPatch } from "../../runtime/patch/json-patch.ts";
import { PatchError } from "../../runtime/patch/patch-error.ts";
import { checkOperations, unknownOperationFields } from "../../runtime/patch/strict-operations.ts";

const codeOf = (attempt: () => unknown): string => {
  try {
    attempt();
  } catch (error) {
    if (error instanceof PatchError) return error.code;
    throw error;
  }
  return "applied";
};

describe("a JSON patch", () => {
  it.each<[string, JsonValue, JsonValue, JsonValue]>([
    ["counts negative indexes from the end", { a: [1, 2, 3] }, [{ op: "remove", path: "/a/-1" }], { a: [1, 2] }],
    ["adds at a negative index", { a: [1, 2] }, [{ op: "add", path: "/a/-1", value: 3 }], { a: [1, 2, 3] }],
    ["reads indexes with leading zeros", { a: [1, 2] }, [{ op: "replace", path: "/a/01", value: 3 }], { a: [1, 3] }],
    ["replaces what is not there", { a: 1 }, [{ op: "replace", path: "/b", value: 2 }], { a: 1, b: 2 }],
    ["takes a missing value for null", {}, [{ op: "add", path: "/a" }], { a: null }],
    ["ignores what stands before the first slash", {}, [{ op: "add", path: "data/n", value: 1 }], { n: 1 }],
    ["passes a test for null where there is nothing", {}, [{ op: "test", path: "/a", value: null }], {}],
    ["copies nothing as null", {}, [{ op: "copy", from: "/a", path: "/b" }], { b: null }],
    [
      "unescapes slashes and tildes, once",
      { "a/b": 1, "~1": 2 },
      [
        { op: "remove", path: "/a~1b" },
        { op: "remove", path: "/~01" },
      ],
      {},
    ],
    ["replaces the whole", { a: 1 }, [{ op: "replace", path: "", value: { b: 2 } }], { b: 2 }],
    ["moves within a list", { a: [1, 2, 3] }, [{ op: "move", from: "/a/0", path: "/a/2" }], { a: [2, 3, 1] }],
    [
      "tests without minding the order of keys",
      { a: { b: 1, c: [2] } },
      [{ op: "test", path: "/a", value: { c: [2], b: 1 } }],
      { a: { b: 1, c: [2] } },
    ],
  ])("%s", (_name, document, patch, expected) => {
    const before = structuredClone(document);
    expect(applyJsonPatch(document, patch)).toEqual(expected);
    expect(document).toEqual(before);
  });

  it.each<[string, JsonValue]>([
    ["a test that fails", [{ op: "test", path: "/a", value: 2 }]],
    ["a test of a list entry that is not there", [{ op: "test", path: "/l/9", value: null }]],
    ["removing what is not there", [{ op: "remove", path: "/z" }]],
    ["adding below what is not there", [{ op: "add", path: "/z/y", value: 1 }]],
    ["adding below a scalar", [{ op: "add", path: "/a/y", value: 1 }]],
    ["adding the whole", [{ op: "add", path: "", value: {} }]],
    ["an index out of range", [{ op: "add", path: "/l/5", value: 1 }]],
    ["a negative index out of range", [{ op: "add", path: "/l/-5", value: 1 }]],
    ["an index that is none", [{ op: "add", path: "/l/x", value: 1 }]],
    ["moving what is not there", [{ op: "move", from: "/z", path: "/y" }]],
    ["no path", [{ op: "add", value: 1 }]],
    ["no origin", [{ op: "copy", path: "/y" }]],
    ["no operation", [{ path: "/a" }]],
    ["an unknown operation", [{ op: "spin", path: "/a" }]],
    ["a null operation", [null]],
    ["an operation that is no word", [{ op: 1, path: "/a" }]],
    ["a path that is no text", [{ op: "add", path: 5, value: 1 }]],
  ])("is not applicable: %s", (_name, patch) => {
    expect(codeOf(() => applyJsonPatch({ a: 1, l: [1] }, patch))).toBe("PatchNotApplicable");
  });

  it.each<[JsonValue, string]>([
    [{}, "json: cannot unmarshal object into Go value of type jsonpatch.Patch"],
    [["x"], "json: cannot unmarshal string into Go value of type jsonpatch.Operation"],
    [
      [new FloatLiteral("1.5e400") as unknown as JsonValue],
      "json: cannot unmarshal number into Go value of type jsonpatch.Operation",
    ],
  ])("is not %j", (patch, message) => {
    expect(() => applyJsonPatch({}, patch)).toThrow(new PatchError("BadPatch", message));
  });

  it.each<[JsonValue, string]>([
    [{}, "json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"],
    [["x"], "json: cannot unmarshal string into Go value of type handlers.jsonPatchOp"],
    [[{ op: 1 }], "json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string"],
  ])("is not %j in strict decoding", (patch, message) => {
    expect(() => checkOperations(patch)).toThrow(new PatchError("BadPatch", message));
  });

  it("changes nothing if it is null, or if it replaces the whole document with a number", () => {
    expect(applyJsonPatch({ a: 1 }, null)).toEqual({ a: 1 });
    expect(applyJsonPatch({ a: 1 }, [{ op: "replace", path: "", value: 5 }])).toEqual({ a: 1 });
  });

  it("is rejected with more operations than the limit", () => {
    const patch = Array.from({ length: 10_001 }, () => ({ op: "test", path: "/a", value: 1 }));
    expect(() => applyJsonPatch({ a: 1 }, patch)).toThrow(
      new PatchError("TooManyOperations", "The allowed maximum operations in a JSON patch is 10000, got 10001"),
    );
    expect(applyJsonPatch({ a: 1 }, patch.slice(1))).toEqual({ a: 1 });
  });

  it("is rejected if its copies exceed the size limit", () => {
    const double = Array.from({ length: 40 }, () => ({ op: "copy", from: "", path: "/a/-" }));
    const grow = Array.from({ length: 40 }, () => ({ op: "copy", from: "/a", path: "/a/-" }));
    expect(codeOf(() => applyJsonPatch({ a: ["x"] }, grow))).toBe("PatchNotApplicable");
    expect(codeOf(() => applyJsonPatch({ a: ["x"] }, double))).toBe("PatchNotApplicable");
    const limits = { maxOperations: 10, maxCopyBytes: 20, maxMovedEntries: 1000 };
    expect(applyJsonPatch({ a: "0123456789" }, [{ op: "copy", from: "/a", path: "/b" }], limits)).toEqual({
      a: "0123456789",
      b: "0123456789",
    });
  });

  it("makes copies that are independent of their source", () => {
    const patch: JsonValue = [
      { op: "add", path: "/a/x", value: 1 },
      { op: "copy", from: "/a", path: "/b" },
      { op: "add", path: "/a/y", value: 2 },
      { op: "add", path: "/b/z", value: 3 },
    ];
    expect(applyJsonPatch({ a: {} }, patch)).toEqual({ a: { x: 1, y: 2 }, b: { x: 1, z: 3 } });
  });

  it("does not modify the values in its operations", () => {
    const value = { deep: { list: [1] } };
    const patch = [
      { op: "add", path: "/a", value },
      { op: "add", path: "/a/deep/list/-", value: 2 },
    ];
    expect(applyJsonPatch({}, patch)).toEqual({ a: { deep: { list: [1, 2] } } });
    expect(value).toEqual({ deep: { list: [1] } });
  });

  it("distinguishes 2 from 2.0 in test operations", () => {
    const literal = new FloatLiteral("2.0") as unknown as JsonValue;
    expect(codeOf(() => applyJsonPatch({ a: 2 }, [{ op: "test", path: "/a", value: literal }]))).toBe(
      "PatchNotApplicable",
    );
  });

  it("reports unknown members of operations", () => {
    expect([...unknownOperationFields({ op: "add", path: "/a", valeu: 1 }, 1)]).toEqual([
      ["valeu", 'unknown field "[1].valeu"'],
    ]);
  });

  it("cannot change an object's prototype", () => {
    const result = applyJsonPatch({}, [{ op: "add", path: "/__proto__", value: { polluted: 1 } }]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":1}}');
    expect(codeOf(() => applyJsonPatch({}, [{ op: "add", path: "/__proto__/polluted", value: 1 }]))).toBe(
      "PatchNotApplicable",
    );
    expect(codeOf(() => applyJsonPatch({}, [{ op: "add", path: "/constructor/prototype/polluted", value: 1 }]))).toBe(
      "PatchNotApplicable",
    );
  });

  it("that replaces what it tests, applied in order, gives each value in turn", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 8 }), (values) => {
        const patch = values.flatMap((value) => [
          { op: "add", path: "/x", value },
          { op: "test", path: "/x", value },
        ]);
        expect(applyJsonPatch({}, patch as JsonValue)).toEqual({ x: values.at(-1) });
      }),
    );
  });
});
