import { Encoder } from "cbor-x";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CborError } from "../../runtime/encoding/cbor/cbor-error.ts";
import { decodeCbor } from "../../runtime/encoding/cbor/decode-cbor.ts";
import { encodeCbor } from "../../runtime/encoding/cbor/encode-cbor.ts";

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "grapheme" }),
    fc.integer(),
    fc.bigInt({ min: 2n ** 60n, max: 2n ** 63n - 1n }),
    fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 60n) }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("any"), { maxLength: 5 }),
    fc.dictionary(fc.string(), tie("any"), { maxKeys: 5 }),
  ),
})).any;

describe("CBOR", () => {
  it("decodes what it encoded", () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(decodeCbor(encodeCbor(given))).toEqual(given);
      }),
      { numRuns: 500 },
    );
  });

  it("is deterministic: tag first, texts as bytes, shortest heads and floats, shorter keys first", () => {
    const bytes = encodeCbor({ bb: 1.5, a: "x", c: [0.1, 300, null, false] });
    expect(bytes.toString("hex")).toBe("d9d9f7a3416141784163" + "84fb3fb999999999999a19012cf6f4" + "426262f93e00");
    expect(encodeCbor({ a: 1, b: 2 })).toEqual(encodeCbor({ b: 2, a: 1 }));
  });

  it("writes integers beyond 64 bits as floats, as Kubernetes reads them from JSON", () => {
    for (const given of [2n ** 63n, -(2n ** 63n) - 1n, 10n ** 21n]) {
      expect(decodeCbor(encodeCbor({ given }))).toEqual({ given: Number(given) });
    }
  });

  it("reads what other writers write: texts, indefinite lengths, tags", () => {
    const other = new Encoder({ useRecords: false, mapsAsObjects: true, variableMapSize: true });
    const object = { kind: "Pod", list: [1, 2.5, "three"], nested: { yes: true, none: null } };
    expect(decodeCbor(other.encode(object))).toEqual(object);
    expect(decodeCbor(Buffer.from("bf6161 9f 01 02 ff ff".replaceAll(" ", ""), "hex"))).toEqual({ a: [1, 2] });
    expect(decodeCbor(Buffer.from("5f 41 61 42 6263 ff".replaceAll(" ", ""), "hex"))).toBe("abc");
    // An API object contains bytes that are marked for base64 as base64.
    expect(decodeCbor(Buffer.from("d643616263", "hex"))).toBe("YWJj");
  });

  it.each([
    ["", "unexpected EOF"],
    ["a1", "unexpected EOF"],
    ["9b00ffffffffffffff", "unexpected EOF"],
    ["5b00ffffffffffffff", "unexpected EOF"],
    ["0000", "1 bytes of extraneous data starting at index 1"],
    ["a2416101416102", 'found duplicate map key "a"'],
    ["a10101", "map keys must be strings"],
    ["f7", "simple value 23 is not recognized"],
    ["f97e00", "NaN and infinity are not allowed"],
    ["c249ffffffffffffffffff", "bignums are not supported"],
    ["1bffffffffffffffff", "integer out of range"],
    ["62c328", "invalid UTF-8 string"],
    ["ff", 'unexpected "break" code'],
    ["81ff", 'unexpected "break" code'],
    ["81".repeat(65), "exceeded max nested level 64"],
  ])("refuses %s", (hex, message) => {
    expect(() => decodeCbor(Buffer.from(hex, "hex"))).toThrow(message);
  });

  it("decodes random bytes to a value or a CBOR error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (noise) => {
        try {
          decodeCbor(noise);
        } catch (error) {
          expect(error).toBeInstanceOf(CborError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
