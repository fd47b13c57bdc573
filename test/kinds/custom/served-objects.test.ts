import { beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../../fixtures/serve-plane.ts";
import { define, definitionOf, OBJECTS, objectOf, until } from "./definitions.ts";

const MERGE = "application/merge-patch+json";

const { call } = servePlane({ controllers: "true" });

describe("objects of a custom kind", () => {
  beforeAll(() =>
    define(
      call,
      definitionOf("pears", "Pear", {
        type: "object",
        properties: {
          size: { type: "integer", default: 3, maximum: 9 },
          fixed: {
            type: "string",
            "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "fixed may not change" }],
          },
          big: { type: "integer" },
          free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      }),
    ),
  );

  it("get defaults; unknown fields are dropped with a warning, or rejected with fieldValidation=Strict", async () => {
    const created = await call("POST", `${OBJECTS}/pears`, {
      body: objectOf("Pear", "a", { colour: "red", free: { x: [1] } }),
    });
    expect(created.status).toBe(201);
    expect(created.headers.warning).toBe('299 - "unknown field \\"spec.colour\\""');
    expect(created.body).toMatchObject({ metadata: { generation: 1 }, spec: { size: 3, free: { x: [1] } } });
    expect(created.body.spec).not.toHaveProperty("colour");
    const strict = await call("POST", `${OBJECTS}/pears?fieldValidation=Strict`, {
      body: objectOf("Pear", "b", { colour: "red" }),
    });
    expect(strict.body.message).toBe(
      'Pear in version "v1" cannot be handled as a Pear: strict decoding error: unknown field "spec.colour"',
    );
  });

  it("keep floats that have an integer value", async () => {
    const post = (spec: string) =>
      call("POST", `${OBJECTS}/pears`, {
        body: `{"apiVersion":"example.com/v1","kind":"Pear","metadata":{"name":"n"},"spec":${spec}}`,
        type: "application/json",
      });
    expect((await post("1.0")).body.details.causes[0].message).toBe(
      'Invalid value: "number": spec in body must be of type object: "number"',
    );
    expect((await post("1e400")).body.message).toBe(
      'Pear in version "v1" cannot be handled as a Pear: json: cannot unmarshal number 1e400 into Go value of type float64',
    );
  });

  it("are validated by schema and rules", async () => {
    const bad = await call("POST", `${OBJECTS}/pears`, { body: objectOf("Pear", "bad", { size: "x" }) });
    expect(bad.status).toBe(422);
    expect(bad.body.details.causes).toEqual([
      {
        reason: "FieldValueTypeInvalid",
        message: 'Invalid value: "string": spec.size in body must be of type integer: "string"',
        field: "spec.size",
      },
      {
        reason: "FieldValueInvalid",
        message:
          'Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
        field: "<nil>",
      },
    ]);
    await call("POST", `${OBJECTS}/pears`, { body: objectOf("Pear", "ruled", { fixed: "a" }) });
    const changed = await call("PATCH", `${OBJECTS}/pears/ruled`, { type: MERGE, body: { spec: { fixed: "b" } } });
    expect(changed.body.message).toBe(
      'Pear.example.com "ruled" is invalid: spec.fixed: Invalid value: "string": fixed may not change',
    );
  });

  it("keep integers beyond 2^53 and print keys in order", async () => {
    const body =
      '{"kind":"Pear","apiVersion":"example.com/v1","metadata":{"name":"big"},"spec":{"size":1,"big":9007199254740993}}';
    await call("POST", `${OBJECTS}/pears`, { body });
    const { text } = await call("GET", `${OBJECTS}/pears/big`);
    expect(text).toContain('"spec":{"big":9007199254740993,"size":1}');
    expect(text.startsWith('{"apiVersion":"example.com/v1","kind":"Pear","metadata":')).toBe(true);
  });

  it("have apiVersion and kind in lists", async () => {
    const { body } = await call("GET", `${OBJECTS}/pears?limit=1`);
    expect(body).toMatchObject({ kind: "PearList", apiVersion: "example.com/v1" });
    expect(body.items[0]).toMatchObject({ kind: "Pear", apiVersion: "example.com/v1" });
  });

  it("support neither strategic merge patch nor protobuf", async () => {
    const strategic = await call("PATCH", `${OBJECTS}/pears/a`, {
      type: "application/strategic-merge-patch+json",
      body: {},
    });
    expect(strategic.status).toBe(415);
    expect(strategic.body.message).toContain("application/json-patch+json, application/merge-patch+json");
    const protobuf = await call("GET", `${OBJECTS}/pears/a`, {
      headers: { accept: "application/vnd.kubernetes.protobuf" },
    });
    expect(protobuf.status).toBe(406);
    const sent = await call("POST", `${OBJECTS}/pears`, {
      type: "application/vnd.kubernetes.protobuf",
      body: Buffer.from("k8s\0"),
    });
    expect(sent.status).toBe(415);
    const odd = await call("POST", `${OBJECTS}/pears?fieldValidation=x`, {
      type: "application/vnd.kubernetes.protobuf",
      body: Buffer.from("k8s\0"),
    });
    // As in Kubernetes, which finds out that it cannot decode the body when it does so.
    expect([odd.status, odd.body.details.kind]).toEqual([422, "CreateOptions"]);
  });

  it("have only the declared subresources and the verbs of custom resources", async () => {
    const part = await call("GET", `${OBJECTS}/pears/a/status`);
    expect([part.status, part.body.message]).toEqual([404, 'pears.example.com "a" not found']);
    const everywhere = await call("DELETE", "/apis/example.com/v1/pears");
    expect([everywhere.status, everywhere.text]).toEqual([404, "404 page not found\n"]);
  });

  it("must have apiVersion and kind", async () => {
    const nameless = await call("POST", `${OBJECTS}/pears`, {
      body: { apiVersion: "example.com/v1", metadata: { name: "x" } },
    });
    expect(nameless.status).toBe(400);
    expect(nameless.body.message).toContain("Object 'Kind' is missing in");
    const other = await call("POST", `${OBJECTS}/pears`, { body: objectOf("Plum", "x", {}) });
    expect(other.body.message).toBe('Plum.example.com "x" is invalid: kind: Invalid value: "Plum": must be Pear');
  });

  it("are garbage collected with their owners", async () => {
    const owner = await call("POST", "/api/v1/namespaces/default/configmaps", {
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "owner" } },
    });
    const { uid } = owner.body.metadata;
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid }];
    await call("POST", `${OBJECTS}/pears`, { body: objectOf("Pear", "owned", {}, { ownerReferences }) });
    await call("DELETE", "/api/v1/namespaces/default/configmaps/owner");
    await until(call, `${OBJECTS}/pears/owned`, (_body, status) => status === 404);
  });
});
