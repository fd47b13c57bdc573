import { describe, expect, it } from "vitest";
import { expectLinear } from "./growth.ts";

const letters = (size: number) => "a".repeat(size);

/** Reads each character a few times. */
function linear(text: string): number {
  let sum = 0;
  for (let round = 0; round < 200; round++) for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i);
  return sum;
}

/** Reads all characters before each character, with divisions, which are slow in compiled code, too. */
function quadratic(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) for (let j = 0; j < i; j++) sum = (31 * sum + text.charCodeAt(j)) % 1_000_003;
  return sum;
}

describe("the check that a function takes linear time", () => {
  it("passes for a linear function", () => expectLinear(letters, linear));

  it("passes for a linear function that rejects its input", () =>
    expectLinear(letters, (text) => {
      linear(text);
      throw new TypeError("not allowed");
    }));

  it("awaits a promise", () => expectLinear(letters, async (text) => linear(await Promise.resolve(text))));

  it("fails for a quadratic function", async () => {
    await expect(expectLinear(letters, quadratic, { size: 1200, boundMs: 60_000 })).rejects.toThrow(
      "grows faster than linearly",
    );
  });

  it("fails if the absolute limit is exceeded", async () => {
    await expect(expectLinear(letters, linear, { boundMs: 1 })).rejects.toThrow("CPU time in ms");
  });

  it("fails if the stack overflows", async () => {
    const recurse = (text: string): number => (text === "" ? 0 : 1 + recurse(text.slice(1)));
    await expect(expectLinear(letters, recurse, { size: 50_000 })).rejects.toThrow(RangeError);
  });
});
