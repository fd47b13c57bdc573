import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeCbor, decodeCborSteps } from "../../runtime/encoding/cbor/decode-cbor.ts";
import { encodeCbor } from "../../runtime/encoding/cbor/encode-cbor.ts";
import { atOnce } from "../../runtime/lib/in-turns.ts";

/** Returns the decoded value, or the error message. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    return (error as Error).message;
  }
}

function expectSame(bytes: Uint8Array): void {
  expect(outcomeOf(() => atOnce(decodeCborSteps(bytes)))).toEqual(outcomeOf(() => decodeCbor(bytes)));
}

it("CBOR read in steps is the same value", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => expectSame(encodeCbor(value))));
});

it("bytes that are changed, cut off or arbitrary give the same value or error", () => {
  const changed = fc.tuple(fc.jsonValue(), fc.nat(), fc.nat(255), fc.boolean());
  fc.assert(
    fc.property(changed, ([value, at, byte, isCut]) => {
      const bytes = Uint8Array.from(encodeCbor(value));
      bytes[at % bytes.length] = byte;
      expectSame(isCut ? bytes.subarray(0, at % bytes.length) : bytes);
    }),
    { numRuns: 1000 },
  );
  fc.assert(fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), expectSame), { numRuns: 2000 });
});

it.each([
  ["a list and a map of unknown length", "9f01bf61610202ff".replace("0202ff", "02ffff")],
  ["a break where there is none to end", "82ff01"],
  ["a break as a key", "a1ff01"],
  ["a key twice", "a2616101616102"],
  ["a tag for a list", "d9d9f78301020a"],
  ["bytes to be shown as base64", "d6824161820141ff"],
])("%s", (_what, hex) => expectSame(Buffer.from(hex, "hex")));

it("long lists and maps are read in many steps", () => {
  const steps = decodeCborSteps(encodeCbor({ list: Array.from({ length: 5000 }, () => ({ a: 1 })) }));
  let count = 0;
  while (steps.next().done !== true) count++;
  expect(count).toBeGreaterThan(8);
});
