import { describe, expect, it } from "vitest";
import { compactJson } from "../../runtime/encoding/json/compact-json.ts";
import { parseJson } from "../../runtime/encoding/json/parse-json.ts";
import { notedText, rawText, withRawText } from "../../runtime/encoding/json/raw-text.ts";
import { sourceTexts } from "../../runtime/encoding/json/source-texts.ts";

describe("the original text of a raw value", () => {
  it("is found in its document; the last one counts if a key repeats", () => {
    const body = Buffer.from('{"a": [ {"b" : 1.0} ], "c": { }, "c" : {"d":[\n]}}');
    const { value } = parseJson(body, { floatLiterals: true });
    const textOf = sourceTexts(body, value);
    const { a, c } = value as { a: [object]; c: { d: object } };
    expect([a, a[0], c, c.d].map(textOf)).toEqual(['[ {"b" : 1.0} ]', '{"b" : 1.0}', '{"d":[\n]}', "[\n]"]);
    expect(textOf({})).toBeUndefined();
  });

  it("is recorded for a value, or for a copy if the value already has another text", () => {
    const value = { a: 1 };
    expect(withRawText(value, '{"a":1}')).toBe(value);
    expect(notedText(value)).toBeUndefined();
    expect(rawText(withRawText(value, '{"a": 1}'))).toBe('{"a": 1}');
    const other = withRawText(value, '{ "a":1}');
    expect(rawText(other)).toBe('{ "a":1}');
    expect(rawText(value)).toBe('{"a": 1}');
    expect(rawText(withRawText(value, '{"a":1}'))).toBe('{"a":1}');
  });

  it("is compacted without changing strings", () => {
    expect(compactJson('{ "a b" : "c \\" d <",\n\t"e": [ 1.0, "\\u00e9" ] }')).toBe(
      '{"a b":"c \\" d \\u003c","e":[1.0,"\\u00e9"]}',
    );
  });
});
