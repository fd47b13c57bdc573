import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import { parseJson } from "../../runtime/encoding/json/parse-json.ts";
import { parseStoredObject } from "../../runtime/encoding/json/parse-stored-object.ts";
import { stringifyJson } from "../../runtime/encoding/json/stringify-json.ts";
import { parseLike } from "../../runtime/resource/parse-like.ts";

const FILLER = { filler: "x".repeat(1024) };

function liveOf(object: object) {
  const json = Buffer.from(stringifyJson(object));
  return { json, revision: 7, object: parseStoredObject(json) as ApiObject };
}

const parse = (body: string) => parseJson(Buffer.from(body), { floatLiterals: true });
const values = [fc.string(), fc.maxSafeInteger(), fc.boolean(), fc.constant(null)];
const members = fc.object({ values });
const metadata = fc.record({ name: fc.string(), annotations: fc.dictionary(fc.string(), fc.string()) });

describe("a body that ends like the live object", () => {
  it("has the value that it has if all of it is parsed", () => {
    const objects = fc.record({ metadata, spec: members, status: members }, { requiredKeys: ["metadata", "spec"] });
    fc.assert(
      fc.property(objects, metadata, fc.constantFrom("", "\n", " \r\n\t"), (object, changed, space) => {
        const live = liveOf({ kind: "Pod", ...object, spec: { ...object.spec, ...FILLER } });
        const body = `${stringifyJson({ ...live.object, metadata: changed })}${space}`;
        const parsed = parseLike(Buffer.from(body), live)?.value as typeof object;
        expect(parsed).toEqual(parse(body).value);
        expect(parsed.spec).toBe(live.object.spec);
      }),
    );
  });

  const live = liveOf({ kind: "Pod", metadata: { name: "a" }, spec: FILLER, status: { phase: "Running" } });
  const rest = `,"spec":${JSON.stringify(FILLER)},"status":{"phase":"Running"}}`;

  const refused: Record<string, string> = {
    "has one of the members twice": `{"metadata":{},"spec":{"a":1}${rest}`,
    "has another key twice": `{"metadata":{},"metadata":{}${rest}`,
    "has a key in its metadata twice": `{"metadata":{"name":"a","name":"b"}${rest}`,
    "has these members inside another": `{"metadata":{},"spec":{"x":1${rest}}`,
    "has no member before them": `{${rest}`,
    "has no metadata": `{"kind":"Pod"${rest}`,
    "is a list": `[{"metadata":{}${rest}]`,
    "ends inside a string": `{"metadata":{},"x":"${rest}`,
    "has a comma too many": `{"metadata":{},${rest}`,
    "lacks a brace": `{"metadata":{"name":"a"${rest}`,
    "has a brace too many": `{"metadata":{}}${rest}`,
    "has more after it": `{"metadata":{}${rest}}`,
    "has another status": `{"metadata":{}${rest.replace("Running", "Pending")}`,
    "is only what follows": rest,
    "is empty": "",
  };
  for (const [name, body] of Object.entries(refused)) {
    it(`is left to the parser of the whole if it ${name}`, () => {
      expect(parseLike(Buffer.from(body), live)).toBeUndefined();
    });
  }

  it("is parsed with such members as it has before", () => {
    const body = `{"x":1.0,"metadata":{"name":"b"}${rest}`;
    expect(parseLike(Buffer.from(body), live)?.value).toEqual(parse(body).value);
  });
});
