import { describe, expect, it } from "vitest";
import { equalJson, equalJsonSteps } from "../../runtime/lib/equal-json.ts";
import { MEMBERS_PER_STEP } from "../../runtime/lib/json-object.ts";

const map = (size: number, more: object = {}) => ({
  ...Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, "v"])),
  ...more,
});

/** The result, and how often the comparison could be interrupted. */
function compare(a: unknown, b: unknown): { readonly isEqual: boolean; readonly steps: number } {
  const comparison = equalJsonSteps(a, b);
  for (let steps = 0; ; steps++) {
    const { done, value } = comparison.next();
    if (done) return { isEqual: value, steps };
  }
}

describe("comparing JSON values in steps", () => {
  it.each<[string, unknown, unknown, boolean]>([
    ["equal objects", { data: map(3) }, { data: map(3) }, true],
    ["keys in another order", { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }, true],
    ["a key more", { data: map(3) }, { data: map(3, { more: "v" }) }, false],
    ["another key", { data: map(3, { other: "v" }) }, { data: map(3, { more: "v" }) }, false],
    ["another value", { data: map(3, { more: "w" }) }, { data: map(3, { more: "v" }) }, false],
    ["undefined for absent", { a: 1, b: undefined }, { a: 1 }, true],
    ["undefined on both sides", { a: 1, b: undefined }, { a: 1, c: undefined }, true],
    ["undefined beside a key more", { a: 1, b: undefined }, { a: 1, c: 2 }, false],
    ["undefined and null", { a: undefined }, { a: null }, false],
    ["an inherited name", { a: 1 }, { a: 1, constructor: undefined, toString: "v" }, false],
    ["lists", { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, true],
    ["a list and an object", { a: [] }, { a: {} }, false],
    ["an integer beyond 64 bits", { a: 2n ** 70n }, { a: 2 ** 70 }, true],
  ])("%s", (_what, a, b, expected) => {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ]) {
      expect(equalJson(one, other)).toBe(expected);
      expect(compare(one, other).isEqual).toBe(expected);
    }
  });

  it.each<[string, object]>([
    ["one key more", { more: "v" }],
    ["a key that is undefined", { more: undefined }],
  ])("may be interrupted if one of two large objects has %s", (_what, more) => {
    const size = 20 * MEMBERS_PER_STEP;
    const [a, b] = [{ data: map(size) }, { data: map(size, more) }];
    expect(compare(a, b).steps).toBeGreaterThanOrEqual(20);
    expect(compare(b, a).steps).toBeGreaterThanOrEqual(20);
  });
});
