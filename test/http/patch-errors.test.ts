import { beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";
const JSON_PATCH = "application/json-patch+json";
const MAPS = "/api/v1/namespaces/default/configmaps";

beforeAll(async () => {
  await call("POST", MAPS, { body: { metadata: { name: "m" }, data: { a: "1" } } });
});

async function refusal(type: string, text: string, fieldValidation: string) {
  const { status, body } = await call("PATCH", `${MAPS}/m?dryRun=All&fieldValidation=${fieldValidation}`, {
    body: text,
    type,
  });
  return status === 200 ? "200" : `${status} ${body.message}`;
}

describe("an invalid patch", () => {
  it.each([
    [
      JSON_PATCH,
      "[5]",
      "number into Go value of type handlers.jsonPatchOp",
      "number into Go value of type jsonpatch.Operation",
    ],
    [
      JSON_PATCH,
      "{}",
      "object into Go value of type []handlers.jsonPatchOp",
      "object into Go value of type jsonpatch.Patch",
    ],
  ])("gets an error that depends on fieldValidation: %s %s", async (type, text, closely, else_) => {
    const json = "json: cannot unmarshal";
    expect(await refusal(type, text, "Strict")).toBe(`400 error decoding patch: ${json} ${closely}`);
    expect(await refusal(type, text, "Warn")).toBe(`400 error decoding patch: ${json} ${closely}`);
    expect(await refusal(type, text, "Ignore")).toBe(`400 ${json} ${else_}`);
  });

  it("is detected later with fieldValidation=Ignore", async () => {
    const rejected = "422 the server rejected our request due to an error in our request";
    const operation = '[{"op":5,"path":"/a"}]';
    expect(await refusal(JSON_PATCH, operation, "Ignore")).toBe(rejected);
    expect(await refusal(JSON_PATCH, operation, "Strict")).toContain(
      "400 error decoding patch: json: cannot unmarshal number",
    );
    expect(await refusal(JSON_PATCH, "null", "Ignore")).toBe("200");
    expect(await refusal(MERGE, "5", "Ignore")).toBe("400 Invalid JSON Patch");
    expect(await refusal(MERGE, "{", "Ignore")).toBe("400 Invalid JSON Patch");
    expect(await refusal(MERGE, "{", "Strict")).toBe("400 error decoding patch: unexpected end of JSON input");
    expect(await refusal(MERGE, "[5]", "Ignore")).toContain("couldn't get version/kind; json parse error");
  });

  it("with unknown fields of an operation is rejected by fieldValidation=Strict", async () => {
    const patch = '[{"op":"test","path":"/data/a","value":"1","x":1}]';
    expect(await refusal(JSON_PATCH, patch, "Strict")).toContain(
      'strict decoding error: json patch unknown field "[0].x"',
    );
    expect(await refusal(JSON_PATCH, patch, "Ignore")).toBe("200");
  });

  it("gets 400 for numbers beyond the range of float64", async () => {
    const number = "json: cannot unmarshal number 1e400 into Go";
    const patch = '{"data":{"x":1e400}}';
    expect(await refusal(STRATEGIC, patch, "Ignore")).toBe(`400 ${number} value of type float64`);
    expect(await refusal(MERGE, patch, "Strict")).toBe(`400 error decoding patch: ${number} value of type float64`);
    const operation = '[{"op":"add","path":"/data/x","value":1e400}]';
    const target = "struct field jsonPatchOp.value of type float64";
    expect(await refusal(JSON_PATCH, operation, "Strict")).toBe(`400 error decoding patch: ${number} ${target}`);
  });
});

describe("the error of a strategic merge patch whose result is not a valid object", () => {
  const SETS = "/apis/apps/v1/namespaces/default/deployments";
  const container = { name: "m", image: "i" };
  const selector = { matchLabels: { a: "b" } };

  beforeAll(async () => {
    const template = { metadata: { labels: { a: "b" } }, spec: { containers: [container] } };
    const { status } = await call("POST", SETS, { body: { metadata: { name: "d" }, spec: { selector, template } } });
    expect(status).toBe(201);
  });

  it.each([
    [
      "nulls of absent fields",
      { extra: { gone: null, kept: [{ gone: null }, null] } },
      "extra:map[kept:[map[] <nil>]]",
    ],
    ["nulls that removed a field", { strategy: { rollingUpdate: null } }, "strategy:map[rollingUpdate:<nil>]"],
    [
      "directives in new fields",
      { extra: [{ $patch: "delete" }, { a: [{ $patch: "x" }, 1] }] },
      "extra:[map[$patch:delete] map[a:[1]]]",
    ],
    ["retained keys", { strategy: { $retainKeys: ["type"], type: "Recreate" } }, "strategy:map[type:Recreate]"],
    ["replaced maps", { strategy: { $patch: "replace", x: null } }, "strategy:map[x:<nil>]"],
    [
      "replaced lists",
      templateOf([{ $patch: "replace" }, { name: "m", image: null }]),
      shown("[map[$patch:replace] map[image:<nil> name:m]]"),
    ],
    [
      "list entries with the same merge key",
      templateOf([
        { name: "n", image: null },
        { name: "n", command: ["x"] },
      ]),
      shown("[map[command:[x] image:<nil> name:n] map[command:[x] name:n]]"),
    ],
    [
      "ordered lists",
      { template: { spec: { "$setElementOrder/containers": [{ name: "m" }], containers: [{ name: "m" }] } } },
      "template:map[spec:map[]]",
    ],
  ])("prints what remains of the patch: %s", async (_what, spec, left) => {
    const { body } = await call("PATCH", `${SETS}/d`, { body: { spec: { ...spec, paused: "x" } }, type: STRATEGIC });
    const members = [left, "paused:x"].sort().join(" ");
    expect(body.message).toContain(`patch: Invalid value: "map[spec:map[${members}]]": `);
  });

  function templateOf(containers: unknown[]) {
    return { template: { spec: { containers } } };
  }

  function shown(containers: string) {
    return `template:map[spec:map[containers:${containers}]]`;
  }
});

describe("a quantity in a strategic merge patch", () => {
  const SCALERS = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";

  it.each([
    ["18446744073709551616", "18446744073709552k"],
    ["12345678901234567890.123456789", "12345678901234567k"],
    ["1e3", "1k"],
    ["9223372036854775807", "9223372036854775807"],
  ])("is read as a float if it is not a 64-bit integer: %s", async (written, read) => {
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
    await call("POST", SCALERS, { body: { metadata: { name: "h" }, spec: { scaleTargetRef, maxReplicas: 3 } } });
    const target = `{"type":"AverageValue","averageValue":${written}}`;
    const patch = `{"spec":{"metrics":[{"type":"Resource","resource":{"name":"cpu","target":${target}}}]}}`;
    const { body } = await call("PATCH", `${SCALERS}/h`, { body: patch, type: STRATEGIC });
    expect(body.spec).toMatchObject({ metrics: [{ resource: { target: { averageValue: read } } }] });
  });
});
