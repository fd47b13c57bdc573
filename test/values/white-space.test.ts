import { describe, expect, it } from "vitest";
import { trimSpace } from "../../runtime/values/white-space.ts";

describe("white space around a text", () => {
  it.each([
    ["", ""],
    [" \t\n\v\f\r", ""],
    ["  a b ", "a b"],
    ["\u0085a\u0085", "a"],
    ["\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000a", "a"],
    ["\ufeffa\ufeff", "\ufeffa\ufeff"],
    ["\u200ba\u180e", "\u200ba\u180e"],
  ])("is removed from %j", (text, trimmed) => {
    expect(trimSpace(text)).toBe(trimmed);
  });

  it("is found in linear time", () => {
    const text = `${" ".repeat(1_000_000)}a`;
    expect(trimSpace(`${text} b`)).toBe(`a b`);
  });
});
