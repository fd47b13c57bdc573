import { describe, expect, it } from "vitest";
import { parseJson } from "../../runtime/encoding/json/parse-json.ts";
import { sharedFields } from "../../runtime/encoding/json/shared-fields.ts";

const LABELS = '{"f:metadata":{"f:labels":{".":{},"f:app":{}}}}';
const SPEC = '{"f:spec":{"k:{\\"name\\":\\"a}{\\"}":{}}}';
/** Fields are cached when they occur again. */
const remembered = (text: string): unknown => [sharedFields(text), sharedFields(text)][1];
const labels = remembered(LABELS);
const spec = remembered(SPEC);

const read = (text: string) => parseJson(Buffer.from(text), { floatLiterals: true, sharesFields: true });
const owners = (...fields: string[]) =>
  `"managedFields":[${fields.map((each) => `{"manager":"m","fieldsV1":${each}}`).join(",")}]`;

describe("request bodies with managedFields", () => {
  it("share sets of fields that are already in memory", () => {
    const { value } = read(`{"metadata":{"name":"a",${owners(LABELS, '{"f:new":{}}', SPEC)}},"spec":{"x":1}}`);
    const { managedFields } = (value as { metadata: { managedFields: { fieldsV1: unknown }[] } }).metadata;
    expect(managedFields.map(({ fieldsV1 }) => fieldsV1)).toEqual([labels, { "f:new": {} }, spec]);
    expect(managedFields[0]?.fieldsV1).toBe(labels);
    expect(managedFields[2]?.fieldsV1).toBe(spec);
  });

  const same: Record<string, string> = {
    "with the like of owners inside": `{"metadata":{${owners(LABELS)}},"spec":{"template":{"metadata":{${owners(SPEC)}}}}}`,
    "with owners inside only": `{"spec":{"metadata":{${owners(LABELS)}}}}`,
    "with such a text": `{"metadata":{${owners(LABELS)},"annotations":{"a":${JSON.stringify(`{${owners(LABELS)}}`)}}}}`,
    "with a key that ends alike": `{"metadata":{${owners(LABELS)}},"x\\"fieldsV1":${LABELS}}`,
    "with entries that are none": `{"metadata":{"managedFields":[{"fieldsV1":${LABELS}},null,1,[]]}}`,
    "with space around the fields": `{"metadata":{"managedFields":[{"fieldsV1": ${LABELS} }]}}`,
    "with large numbers beside": `{"metadata":{${owners(LABELS)}},"x":12345678901234567890}`,
  };
  for (const [name, text] of Object.entries(same)) {
    it(`say the same ${name}`, () => {
      const { depth: _depth, ...plain } = parseJson(Buffer.from(text), { floatLiterals: true });
      expect(read(text)).toMatchObject(plain);
    });
  }

  it("are reported if they contain duplicate keys", () => {
    for (const text of [
      `{"metadata":{${owners(LABELS)},${owners(SPEC)}}}`,
      `{"metadata":{${owners(LABELS)}},"a":1,"a":2}`,
      `{"metadata":{"managedFields":[{"fieldsV1":${LABELS},"fieldsV1":${SPEC}}]}}`,
      `{"metadata":{"managedFields":[{"fieldsV1":{"f:a":{},"f:a":{}}}]}}`,
    ]) {
      const { value, duplicates } = read(text);
      expect([...(duplicates?.values() ?? [])].flat()).toHaveLength(1);
      expect(value).toEqual(JSON.parse(text));
    }
  });

  it("are rejected with the same message if they are invalid", () => {
    for (const text of [
      `{"metadata":{${owners(LABELS)}}`,
      `{"metadata":{${owners(LABELS)}}}}`,
      `{"metadata":{"managedFields":[{"fieldsV1":${LABELS}x}]}}`,
      '{"metadata":{"managedFields":[{"fieldsV1":{"f:a":{}',
      '{"metadata":{"managedFields":[{"fieldsV1":{"f:a\\',
    ]) {
      let plain: unknown;
      try {
        parseJson(Buffer.from(text), { floatLiterals: true });
      } catch (error) {
        plain = error;
      }
      expect(plain).toBeInstanceOf(Error);
      expect(() => read(text)).toThrow((plain as Error).message);
    }
  });

  it("do not share a text that contains more than its value", () => {
    for (const text of ['{"f:a":{},"f:a":{}}', '{"f:a":1.0}', '{"f:a":12345678901234567890}', '{"f:\\ud83d":{}}']) {
      expect(remembered(text)).not.toBe(sharedFields(text));
    }
  });

  const fieldsOf = (text: string) => {
    const { value } = read(`{"metadata":{${owners(text)}}}`);
    return (value as { metadata: { managedFields: { fieldsV1: unknown }[] } }).metadata.managedFields[0]?.fieldsV1;
  };

  it("share sets of fields that other requests had", () => {
    const text = '{"f:spec":{"f:learned":{}}}';
    const [first, second, third] = [fieldsOf(text), fieldsOf(text), fieldsOf(text)];
    expect(first).toEqual({ "f:spec": { "f:learned": {} } });
    expect(second).toEqual(first);
    expect(third).toBe(second);
    expect(sharedFields(text)).toBe(second);
  });

  it("do not learn what contains more than its value, what is no JSON or what nests deep", () => {
    for (const text of ['{"f:c":{},"f:c":{}}', '{"f:c":1.0}', '{"f:c":12345678901234567890}']) {
      const [first, ...others] = [1, 2, 3].map(() => read(`{"metadata":{${owners(text)}}}`));
      for (const other of others) expect(other).toEqual(first);
    }
    const deep = `${'{"f:c":'.repeat(300)}{}${"}".repeat(300)}`;
    for (const broken of ['{"f:c":}', '{"f:c" {}}', deep])
      for (const _time of [1, 2, 3]) expect(() => fieldsOf(broken)).toThrow();
    const nested = `${'{"f:c":'.repeat(80)}{}${"}".repeat(80)}`;
    for (const _time of [1, 2, 3]) expect(read(`{"metadata":{${owners(nested)}}}`).depth).toBe(85);
  });

  it("keep what many objects share while every object has fields of its own", () => {
    const common = remembered('{"f:spec":{"f:common":{}}}');
    for (let i = 0; i < 3000; i++) sharedFields(`{"f:status":{"k:{\\"ip\\":\\"10.0.${i >> 8}.${i & 255}\\"}":{}}}`);
    expect(sharedFields('{"f:spec":{"f:common":{}}}')).toBe(common);
  });
});
