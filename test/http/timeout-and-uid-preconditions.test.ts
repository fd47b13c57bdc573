import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const MAPS = "/api/v1/namespaces/default/configmaps";
const APPLY = "application/apply-patch+yaml";

async function madeAndDeleted(name: string) {
  const { body } = await call("POST", MAPS, { body: { metadata: { name } } });
  await call("DELETE", `${MAPS}/${name}`);
  return body as { metadata: { uid: string } };
}

describe("writing to an object that was deleted", () => {
  it("gets 409 for an update with the uid of the deleted object", async () => {
    const object = await madeAndDeleted("gone");
    const { status, body } = await call("PUT", `${MAPS}/gone`, { body: object });
    expect([status, body.message]).toEqual([
      409,
      `Operation cannot be fulfilled on configmaps "gone": StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/gone, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${object.metadata.uid}, UID in object meta: `,
    ]);
  });

  it("gets 409 with the storage key for kinds that an update may create", async () => {
    const { status, body } = await call("PUT", "/apis/coordination.k8s.io/v1/namespaces/default/leases/gone", {
      body: { metadata: { name: "gone", uid: "a" } },
    });
    expect([status, body.message]).toEqual([409, expect.stringContaining("Key: /registry/leases/default/gone,")]);
  });

  it("gets 409 for an apply with the uid of the deleted object", async () => {
    const { metadata } = await madeAndDeleted("applied");
    const { status, body } = await call("PATCH", `${MAPS}/applied?fieldManager=m`, {
      type: APPLY,
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "applied", uid: metadata.uid } },
    });
    expect([status, body.message]).toEqual([
      409,
      `Operation cannot be fulfilled on configmaps "applied": uid mismatch: the provided object specified uid ${metadata.uid}, and no existing object was found`,
    ]);
  });

  it("gets 404 for an update without a uid", async () => {
    expect((await call("PUT", `${MAPS}/nobody`, { body: { metadata: { name: "nobody" } } })).status).toBe(404);
  });
});

describe("the query parameter timeout", () => {
  it.each([
    ["5", 'time: missing unit in duration "5"'],
    ["1x", 'time: unknown unit "x" in duration "1x"'],
  ])("gets 400 if it is not a duration: %s", async (timeout, why) => {
    const { status, body } = await call("GET", `${MAPS}?timeout=${timeout}`);
    expect([status, body.message]).toEqual([400, `invalid timeout specified in the request URL - ${why}`]);
  });

  it("ends the request with 504 when it expires", async () => {
    const { status, body } = await call("GET", `${MAPS}?timeout=20ms&resourceVersion=99999999`);
    expect([status, body.reason]).toEqual([504, "Timeout"]);
    expect(body.message).toContain("request did not complete within the allotted timeout");
  });

  it.each(["0s", "-1s", "30s", "99h", ""])("does not affect a request that finishes in time: %s", async (timeout) => {
    expect((await call("GET", `${MAPS}?timeout=${timeout}`)).status).toBe(200);
  });
});

describe("duplicate keys in YAML", () => {
  const twice = (name: string) => `metadata:\n  name: ${name}-1\n  name: ${name}\n`;
  const YAML = "application/yaml";

  it("get a warning with the line number", async () => {
    const { status, headers } = await call("POST", MAPS, { type: YAML, body: twice("twice") });
    expect([status, headers.warning]).toEqual([201, String.raw`299 - "line 3: key \"name\" already set in map"`]);
  });

  const applied = `apiVersion: v1\nkind: ConfigMap\n${twice("applied-twice")}`;

  it("get a warning in server-side apply", async () => {
    const { status, headers } = await call("PATCH", `${MAPS}/applied-twice?fieldManager=m`, {
      type: APPLY,
      body: applied,
    });
    expect([status, headers.warning]).toEqual([201, String.raw`299 - "line 5: key \"name\" already set in map"`]);
  });

  it("get 400 with fieldValidation=Strict", async () => {
    const path = `${MAPS}/applied-twice?fieldManager=m&fieldValidation=Strict`;
    const { status, body } = await call("PATCH", path, { type: APPLY, body: applied });
    expect([status, body.message]).toEqual([
      400,
      'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 5: key "name" already set in map',
    ]);
  });
});

describe("an unsupported request", () => {
  it("gets 400 for the parameter export", async () => {
    const { status, body } = await call("GET", `${MAPS}/kube-root-ca.crt?export=true`);
    expect([status, body.message]).toEqual([
      400,
      "the export parameter, deprecated since v1.14, is no longer supported",
    ]);
  });

  it("gets 405 for a watch with another method than GET", async () => {
    const { status } = await call("POST", "/api/v1/watch/namespaces/default/configmaps?timeoutSeconds=1", { body: {} });
    expect(status).toBe(405);
  });

  it("gets 415 for server-side apply in CBOR while CBOR is disabled", async () => {
    const { status, body } = await call("PATCH", `${MAPS}/x?fieldManager=m`, {
      type: "application/apply-patch+cbor",
      body: Buffer.of(0xa0),
    });
    expect([status, body.message]).toEqual([415, "415: Unsupported Media Type"]);
  });
});

describe("a Binding without a valid target", () => {
  it("is rejected with all validation errors", async () => {
    const { body } = await call("POST", "/api/v1/namespaces/default/bindings", {
      body: { metadata: { name: "p" }, target: { kind: "Pod" } },
    });
    expect(body.message).toBe(
      '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
    );
  });
});
