import { beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const MAPS = "/api/v1/namespaces/default/configmaps";
const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";
const JSON_PATCH = "application/json-patch+json";

beforeAll(async () => {
  await call("POST", MAPS, { body: { metadata: { name: "m" }, data: { a: "1" } } });
});

/** Returns the fields that strict decoding reports, in order. */
async function complaints(method: string, text: string, type = "application/json"): Promise<string[]> {
  const path = method === "POST" ? MAPS : `${MAPS}/m`;
  const { body } = await call(method, `${path}?dryRun=All&fieldValidation=Strict`, { body: text, type });
  const [, found = ""] = /strict decoding error: (.*)$/s.exec(body.message) ?? [];
  return found.split(", ").map((problem) => problem.replace(/(?:json patch )?(\w+) field "(.*)"/, "$1 $2"));
}

describe("errors of fieldValidation=Strict", () => {
  it("are in the order of the JSON document, including keys that look like integers", async () => {
    const text = '{"b":1,"10":1,"9":2,"metadata":{"name":"x","z":1,"10":1,"2":3},"apiVersion":"v1","kind":"ConfigMap"}';
    expect(await complaints("POST", text)).toEqual([
      "unknown b",
      "unknown 10",
      "unknown 9",
      "unknown metadata.z",
      "unknown metadata.10",
      "unknown metadata.2",
    ]);
  });

  it("report a duplicate field at the position of its second occurrence", async () => {
    const text = '{"data":{},"b":1,"data":{"k":"1","k":"2"},"c":1,"metadata":{"name":"x"}}';
    expect(await complaints("POST", text)).toEqual(["unknown b", "duplicate data", "duplicate data.k", "unknown c"]);
  });

  it("are in the order of the operations in a JSON patch, without what is in unknown fields", async () => {
    const text = `[
      {"op":"test","x":[{"a":1,"a":2}],"x":1,"path":"/data/a","value":"1"},
      {"op":"add","op":"add","path":"/data","value":{"a":"b","a":"c"},"y":1},
      {"op":"add","path":"/data/b","path":"/data/b","value":"1"}]`;
    expect((await complaints("PATCH", text, JSON_PATCH)).slice(0, 5)).toEqual([
      "unknown [0].x",
      "duplicate [1].op",
      "duplicate [1].value.a",
      "unknown [1].y",
      "duplicate [2].path",
    ]);
  });

  it("are sorted by field for YAML", async () => {
    const text = 'b: 1\n"10": 1\n"9": 2\na: 1\nmetadata:\n  name: x\n  z: 1\n  "10": 1\n  "2": 1\n';
    expect(await complaints("POST", text, "application/yaml")).toEqual([
      "unknown 10",
      "unknown 9",
      "unknown a",
      "unknown b",
      "unknown metadata.10",
      "unknown metadata.2",
      "unknown metadata.z",
    ]);
  });

  it("are sorted for objects that a patch merged, and in document order for values that it added", async () => {
    expect(await complaints("PATCH", '{"b":1,"10":1,"9":2,"metadata":{"z":1,"y":1}}', MERGE)).toEqual([
      "unknown 10",
      "unknown 9",
      "unknown b",
      "unknown metadata.y",
      "unknown metadata.z",
    ]);
    const brought = '[{"op":"replace","path":"/metadata","value":{"name":"m","z":1,"10":1,"2":1}}]';
    expect(await complaints("PATCH", brought, JSON_PATCH)).toEqual([
      "unknown metadata.z",
      "unknown metadata.10",
      "unknown metadata.2",
    ]);
    const twice = '{"metadata":{"labels":{"b":"1","b":"2"}},"data":{"a":"1","a":"2"},"y":1,"x":1}';
    expect(await complaints("PATCH", twice, STRATEGIC)).toEqual([
      "duplicate metadata.labels.b",
      "duplicate data.a",
      "unknown x",
      "unknown y",
    ]);
  });

  it("print the patched object in the order of its JSON", async () => {
    const brought = '[{"op":"replace","path":"/metadata","value":{"name":"m","10":1,"2":1}}]';
    const { body } = await call("PATCH", `${MAPS}/m?dryRun=All&fieldValidation=Strict`, {
      body: brought,
      type: JSON_PATCH,
    });
    expect(body.message).toContain(String.raw`\"metadata\":{\"name\":\"m\",\"10\":1,\"2\":1}`);
  });

  it("include every field of a patched object without apiVersion", async () => {
    expect(await complaints("PATCH", '{"apiVersion":null,"zz":1}', MERGE)).toEqual([
      "unknown data",
      "unknown metadata",
      "unknown zz",
    ]);
    const { status, body } = await call("PATCH", `${MAPS}/m?dryRun=All`, { body: '{"apiVersion":null}', type: MERGE });
    expect([status, body.message]).toEqual([
      400,
      "the name of the object (m based on URL) was undeterminable: name must be provided",
    ]);
  });
});
