import { describe, expect, it } from "vitest";
import { carryNotes, noteQuantities } from "../../runtime/go/source-notes.ts";
import { equalMeaning } from "../../runtime/values/equal-meaning.ts";

describe("equal parts of objects", () => {
  it("are equal as JSON", () => {
    expect(equalMeaning({ a: [1, { b: undefined }] }, { a: [1, {}] })).toBe(true);
    expect(equalMeaning({ a: [1] }, { a: [2] })).toBe(false);
    expect(equalMeaning(["a"], { 0: "a" })).toBe(false);
    expect(equalMeaning(undefined, {})).toBe(false);
  });

  it("may have quantities of the same value in different notations", () => {
    const limits = { cpu: "01", memory: "1073741824" };
    const before = { cpu: "1", memory: "1Gi" };
    expect(equalMeaning({ limits }, { limits: before })).toBe(false);
    noteQuantities(limits);
    expect(equalMeaning([{ limits }], [{ limits: before }])).toBe(true);
    expect(equalMeaning([{ limits: before }], [{ limits }])).toBe(true);
    expect(equalMeaning({ limits }, { limits: { ...before, cpu: "2" } })).toBe(false);
    expect(equalMeaning({ limits }, { limits: { cpu: "1" } })).toBe(false);
    expect(equalMeaning({ limits }, { limits: { ...before, cpu: "much" } })).toBe(false);
  });

  it("may be copies with other strings beside them", () => {
    const medium = { sizeLimit: "1024Mi", medium: "01" };
    noteQuantities(medium, "sizeLimit");
    const copy = { ...medium };
    carryNotes(medium, copy);
    expect(equalMeaning(copy, { sizeLimit: "1Gi", medium: "01" })).toBe(true);
    expect(equalMeaning(copy, { sizeLimit: "1Gi", medium: "1" })).toBe(false);
  });
});
