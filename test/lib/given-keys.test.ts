import { describe, expect, it } from "vitest";
import { toFieldSet, toFieldSetSteps } from "../../runtime/apply/typed/to-field-set.ts";
import { mergeRepeated } from "../../runtime/encoding/json/merge-repeated.ts";
import { parseLargeJson } from "../../runtime/encoding/json/parse-json.ts";
import { parseLargeYaml, takeParsedYaml } from "../../runtime/encoding/yaml/large-yaml.ts";
import { atOnce } from "../../runtime/lib/in-turns.ts";
import { givenKeysOf, type JsonObject, type JsonValue } from "../../runtime/lib/json-object.ts";
import { jsonPatchSteps } from "../../runtime/patch/json-patch.ts";
import { mergePatchSteps } from "../../runtime/patch/merge-patch.ts";
import { strategicMergePatchSteps } from "../../runtime/patch/strategic/strategic-merge-patch.ts";
import { schemas } from "../kinds/conversions/converters.ts";

const members = (size: number, prefix = "k") =>
  Array.from({ length: size }, (_, index) => `"${prefix}${(index * 7919) % size}":"v"`);
const parse = (text: string) => parseLargeJson(Buffer.from(text), { floatLiterals: true });
const dataOf = (object: unknown) => (object as { data: JsonObject }).data;

const type = schemas.of("core/v1.ConfigMap").mergeType;

/** More than the built-in parser receives. */
const MANY = 40_000;

describe("the keys that are remembered of a large object are those it lists", () => {
  it.each([
    ["plain keys", members(MANY)],
    ["keys that look like numbers", [...members(MANY), '"7":"v"', '"3":"v"']],
    ["keys that occur twice", [...members(MANY), '"k5":"w"', '"k1":"w"']],
    ["few keys", members(10)],
  ])("parsed, with %s", async (_what, given) => {
    const data = dataOf((await parse(`{"data":{${given.join()}}}`)).value);
    expect(givenKeysOf(data)).toEqual(Object.keys(data));
  });

  it("parsed from YAML", async () => {
    const body = Buffer.from(
      `data:\n${[...members(MANY), '"7":"v"'].map((one) => `  ${one.replace(":", ": ")}\n`).join("")}`,
    );
    await parseLargeYaml(body);
    const data = dataOf(takeParsedYaml(body)?.value);
    expect(Object.keys(data)).toHaveLength(MANY + 1);
    expect(givenKeysOf(data)).toEqual(Object.keys(data));
  });

  it("parsed from YAML, as the paths that an applied configuration sets", async () => {
    const body = Buffer.from(
      `data:\n${members(MANY)
        .map((one) => `  ${one.replace(":", ": ")}\n`)
        .join("")}`,
    );
    await parseLargeYaml(body);
    const value = takeParsedYaml(body)?.value as JsonObject;
    expect(givenKeysOf(dataOf(value))).toBe(givenKeysOf(dataOf(value)));
    expect(atOnce(toFieldSetSteps(type, value)).equals(toFieldSet(type, value))).toBe(true);
  });

  it("parsed twice in one document, and merged", async () => {
    const text = `{"data":{${members(MANY).join()}},"data":{${members(MANY, "m").join()}}}`;
    const { value, repeated } = await parse(text);
    mergeRepeated(repeated ?? []);
    const data = dataOf(value);
    expect(givenKeysOf(data)).toEqual(Object.keys(data));
    expect(Object.keys(data)).toHaveLength(2 * MANY);
  });

  it.each([
    ["added", members(MANY, "p")],
    ["changed and added", [...members(MANY), ...members(10, "p")]],
    ["removed", ['"k1":null', ...members(MANY, "p")]],
    ["numbers added", [...members(MANY, "p"), '"12":"v"']],
    ["kept, with a directive", ['"$retainKeys":["k1","p1"]', '"p1":"v"']],
  ])("patched: %s", async (_what, patched) => {
    const { value: live } = await parse(`{"data":{${members(MANY).join()}}}`);
    const { value: patch } = await parse(`{"data":{${patched.join()}}}`);
    const merged = atOnce(mergePatchSteps(live as JsonObject, patch as JsonObject, { isStrict: true, isLarge: true }));
    expect(givenKeysOf(dataOf(merged))).toEqual(Object.keys(dataOf(merged)));
    const strategic = atOnce(strategicMergePatchSteps(live as JsonObject, patch as JsonObject, type, true));
    expect(givenKeysOf(dataOf(strategic))).toEqual(Object.keys(dataOf(strategic)));
  });

  it("put into an object by a JSON patch that changes it afterwards", async () => {
    const operations = [
      `{"op":"add","path":"/data","value":{${members(MANY).join()}}}`,
      '{"op":"add","path":"/data/more","value":"v"}',
      '{"op":"remove","path":"/data/k7"}',
    ];
    const { value: patch } = await parse(`[${operations.join()}]`);
    const patched = atOnce(jsonPatchSteps({}, patch as JsonValue, { isLarge: true }));
    expect(givenKeysOf(dataOf(patched))).toEqual(Object.keys(dataOf(patched)));
    expect(Object.keys(dataOf(patched))).toHaveLength(MANY);
  });
});
