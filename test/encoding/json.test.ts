import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../runtime/encoding/json/parse-json.ts";
import { parseOwnJson } from "../../runtime/encoding/json/parse-own-json.ts";
import { sharedFields } from "../../runtime/encoding/json/shared-fields.ts";
import { stringifyJson } from "../../runtime/encoding/json/stringify-json.ts";
import { MAX_READ_DEPTH } from "../../runtime/encoding/max-depth.ts";
import { FloatLiteral } from "../../runtime/lib/float-literal.ts";

describe("broken JSON is explained as Go does", () => {
  it.each([
    ["", "unexpected end of JSON input"],
    [" ", "unexpected end of JSON input"],
    ["{", "unexpected end of JSON input"],
    ['{"a"', "unexpected end of JSON input"],
    ['"abc', "unexpected end of JSON input"],
    ["}", "invalid character '}' looking for beginning of value"],
    ["{} {}", "invalid character '{' after top-level value"],
    ['{"a":}', "invalid character '}' looking for beginning of value"],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
    ["[1 2]", "invalid character '2' after array element"],
    ["[1,]", "invalid character ']' looking for beginning of value"],
    ["text", "invalid character 'e' in literal true (expecting 'r')"],
    ["nil", "invalid character 'i' in literal null (expecting 'u')"],
    ["01", "invalid character '1' after top-level value"],
    ["-x", "invalid character 'x' in numeric literal"],
    ["1.x", "invalid character 'x' after decimal point in numeric literal"],
    ["1ex", "invalid character 'x' in exponent of numeric literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"a\u0000"', "invalid character '\\x00' in string literal"],
    ['"a\n"', "invalid character '\\n' in string literal"],
    ["\ufeff{}", "invalid character 'ï' looking for beginning of value"],
    ["é", "invalid character 'Ã' looking for beginning of value"],
  ])("%j", (text, message) => {
    expect(() => parseJson(text)).toThrow(message);
    expect(() => parseJson(Buffer.from(text))).toThrow(message);
  });

  it("shows the byte, not the character", () => {
    expect(() => parseJson(Buffer.from([0xff, 0xfe, 0x7b, 0x7d]))).toThrow(
      "invalid character 'ÿ' looking for beginning of value",
    );
  });

  it("rejects documents beyond the nesting limit", () => {
    const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    expect(() => parseJson(nested(MAX_READ_DEPTH + 1))).toThrow("invalid character '[' exceeded max depth");
    expect(() => parseJson(nested(1_000_000))).toThrow("invalid character '[' exceeded max depth");
    expect(parseJson(nested(MAX_READ_DEPTH)).depth).toBe(MAX_READ_DEPTH);
  });
});

describe("parsing loses nothing", () => {
  it("keeps integers of any size", () => {
    expect(parseJson("[9007199254740991,9007199254740993,-12345678901234567890]").value).toEqual([
      9007199254740991,
      9007199254740993n,
      -12345678901234567890n,
    ]);
  });

  it("ignores digits and colons inside strings", () => {
    const text = '{"a:b":"1234567890123456789","c":"\\":\\"","d":"1e5 2.0"}';
    const parsed = parseJson(text, { floatLiterals: true });
    expect(parsed).toEqual({ value: JSON.parse(text), depth: 1 });
  });

  it("distinguishes 1 from 1.0 on request", () => {
    const { value } = parseJson('{"a":1.0,"b":1.5,"c":1}', { floatLiterals: true });
    expect((value as { a: unknown }).a).toBeInstanceOf(FloatLiteral);
    expect(stringifyJson(value)).toBe('{"a":1,"b":1.5,"c":1}');
    expect(parseJson('{"a":1.0}')).toEqual({ value: { a: 1 }, depth: 1 });
  });

  it("replaces unpaired surrogates, and keeps pairs", () => {
    expect(parseJson('{"a":"\\ud800","b":"\\ud83d\\ude00","\\udead":1}').value).toEqual({
      a: "\ufffd",
      b: "\u{1f600}",
      "\ufffd": 1,
    });
  });

  it("records repeated keys by their object; the last value wins", () => {
    const { value, duplicates } = parseJson('{"a":{"x":1,"y":2,"x":3},"b":[{"k":1,"k":2,"k":3}]}');
    const { a, b } = value as { a: object; b: object[] };
    expect(value).toEqual({ a: { x: 3, y: 2 }, b: [{ k: 3 }] });
    expect(duplicates?.get(a)).toEqual(["x"]);
    expect(duplicates?.get(b[0] as object)).toEqual(["k"]);
  });

  it("keeps __proto__ as an ordinary key when parsing and printing", () => {
    for (const text of ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1},"n":12345678901234567890}']) {
      const value = parseJson(text).value as object;
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.keys(value)).toContain("__proto__");
      expect(stringifyJson(value)).toBe(text);
    }
  });

  it("agrees with the built-in parser on everything that parser keeps", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(stringifyJson(parseJson(text).value)).toBe(stringifyJson(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });
});

describe("JSON that this program wrote", () => {
  it("is parsed by the fast path without losing digits", () => {
    const text = '{"n":-9007199254740993,"list":[12345678901234567890],"s":"a:1234567890123456789"}';
    expect(stringifyJson(parseOwnJson(Buffer.from(text)))).toBe(text);
    expect(parseOwnJson(Buffer.from('{"n":1}'))).toEqual({ n: 1 });
  });
});

describe("printing", () => {
  it("escapes what Go escapes", () => {
    expect(stringifyJson({ a: "<b>&\u2028" })).toBe('{"a":"\\u003cb\\u003e\\u0026\\u2028"}');
  });

  it("prints bigints as digits and indents when asked", () => {
    expect(stringifyJson({ a: 12345678901234567890n, b: [{}] }, { pretty: true })).toBe(
      '{\n  "a": 12345678901234567890,\n  "b": [\n    {}\n  ]\n}',
    );
  });
});

describe("keys that are written with escapes", () => {
  /** For each pair, the built-in parser would predict the wrong key if this were not prevented. */
  const pairs: readonly (readonly [string, string])[] = [
    ['{"escaped1":1,"\\\\":2}', '{"escaped1":1,"\\n":2}'],
    ['{"escaped2":1,"\\\\":2}', '{"escaped2":1,"\\"":2}'],
    ['{"escaped3":{},"k:{\\\\\\"a\\\\":{}}', '{"escaped3":{},"k:{\\"a\\"}" :{}}'],
  ];

  it("are decoded, independently of keys that were parsed before", () => {
    for (const [first, second] of pairs) {
      const keys = (value: unknown) => Object.keys(value as object)[1];
      for (const read of [
        (text: string) => parseJson(Buffer.from(text)).value,
        (text: string) => parseJson(text, { floatLiterals: true, sharesFields: true }).value,
        (text: string) => parseOwnJson(Buffer.from(text)),
        (text: string) => sharedFields(text),
      ]) {
        const before = keys(JSON.parse(first));
        expect(keys(read(second)), second).toBe(JSON.parse(/,\s*("(?:[^"\\]|\\.)*")/.exec(second)?.[1] ?? ""));
        expect(keys(read(first)), first).toBe(before);
      }
    }
  });
});
