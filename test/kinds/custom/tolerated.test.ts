import { beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../../fixtures/serve-plane.ts";
import { DEFINITIONS, define, definitionOf } from "./definitions.ts";

const { call } = servePlane();
const PLUMS = "/apis/example.com/v1/namespaces/default/plums";
const MERGE = "application/merge-patch+json";

const entries = (limits: object, rules: object) => ({
  type: "object",
  properties: {
    size: { type: "integer", ...rules },
    stones: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      ...limits,
      items: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
    },
  },
});

const plum = (name: string) => ({
  apiVersion: "example.com/v1",
  kind: "Plum",
  metadata: { name },
  spec: { size: 50, stones: [{ name: "a" }, { name: "b" }] },
});

describe("stored values that a changed definition makes invalid", () => {
  beforeAll(async () => {
    await define(call, definitionOf("plums", "Plum", entries({}, {})));
    await call("POST", PLUMS, { body: plum("old") });
    const rules = { "x-kubernetes-validations": [{ rule: "self < 20", message: "too big" }] };
    const { spec } = definitionOf("plums", "Plum", entries({ maxItems: 1 }, rules)) as { spec: object };
    await call("PATCH", `${DEFINITIONS}/plums.example.com`, { type: MERGE, body: { spec } });
    for (let refused = false; !refused; ) {
      const tried = await call("POST", `${PLUMS}?dryRun=All`, { body: plum("new") });
      refused = tried.status === 422;
    }
  });

  const patch = (body: object) => call("PATCH", `${PLUMS}/old`, { type: MERGE, body });

  it("may stay, with a warning if a rule fails", async () => {
    const labelled = await patch({ metadata: { labels: { a: "b" } } });
    expect(labelled.status).toBe(200);
    expect(labelled.headers.warning).toBe('299 - "spec.size: Invalid value: \\"integer\\": too big"');
  });

  it("cause a warning even if the request is rejected for another reason", async () => {
    const refused = await patch({ spec: { stones: [{ name: "a" }, { name: "c" }] } });
    expect(refused.body.details.causes[0].message).toBe("Too many: 2: must have at most 1 items");
  });

  it("may stay if entries of a list are only reordered", async () => {
    expect((await patch({ spec: { stones: [{ name: "b" }, { name: "a" }] } })).status).toBe(200);
  });
});

describe("definitions", () => {
  const causes = async (definition: object) =>
    (await call("POST", DEFINITIONS, { body: definition })).body.details.causes.map(
      ({ field, message }: { field: string; message: string }) => `${field}: ${message}`,
    );

  it("cannot have selectable fields inside lists", async () => {
    const selectableFields = [{ jsonPath: ".spec.stones[0]" }];
    expect(await causes(definitionOf("pips", "Pip", entries({}, {}), { selectableFields }))).toEqual([
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec.stones[0]": is an invalid path: array notation is not allowed',
    ]);
  });

  it("report optionalOldSelf in a rule that does not use oldSelf, even if the rule does not compile", async () => {
    const rules = { "x-kubernetes-validations": [{ rule: "oldSelf > 0", optionalOldSelf: true }] };
    const found = await causes(definitionOf("pips", "Pip", entries({}, rules)));
    expect(found).toHaveLength(2);
    expect(found[1]).toMatch(/optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule$/);
  });
});

it("a field with x-kubernetes-preserve-unknown-fields accepts applied fields at any depth", async () => {
  const named = { type: "object", properties: { name: { type: "string" } } };
  const spec = { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { inner: named } };
  await define(call, definitionOf("husks", "Husk", spec));
  const husk = { apiVersion: "example.com/v1", kind: "Husk", metadata: { name: "a" } };
  const applied = await call("PATCH", "/apis/example.com/v1/namespaces/default/husks/a?fieldManager=alpha", {
    type: "application/apply-patch+yaml",
    body: JSON.stringify({ ...husk, spec: { inner: { odd: 1 } } }),
  });
  expect(applied.status).toBe(201);
});

it("defaults in additionalProperties have no owner", async () => {
  const spec = { type: "object", additionalProperties: { type: "string", default: 5 } };
  expect((await call("POST", DEFINITIONS, { body: definitionOf("shells", "Shell", spec) })).status).toBe(201);
});

it("duplicate fields are reported in the order of the document", async () => {
  await define(call, definitionOf("kernels", "Kernel", entries({}, {})));
  const spec = '{"size":1,"size":2,"stones":[{"name":"a","name":"b"}]}';
  const { body } = await call("POST", "/apis/example.com/v1/namespaces/default/kernels?fieldValidation=Strict", {
    type: "application/json",
    body: Buffer.from(`{"apiVersion":"example.com/v1","kind":"Kernel","metadata":{"name":"a"},"spec":${spec}}`),
  });
  expect(body.message).toMatch(/duplicate field "spec.size", duplicate field "spec.stones\[0\].name"$/);
});
