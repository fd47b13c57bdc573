import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
const account = (more: object = {}) => ({
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name: "one" },
  ...more,
});

describe("an object with a list entry without its merge key", () => {
  it("loses its managedFields, and server-side apply to it fails", async () => {
    const { body: made } = await call("POST", ACCOUNTS, { body: account({ secrets: [{ name: "a" }] }) });
    expect(made.metadata.managedFields).toHaveLength(1);
    const { body: changed } = await call("PATCH", `${ACCOUNTS}/one`, {
      body: { secrets: [{ kind: "x" }] },
      type: "application/merge-patch+json",
    });
    expect(changed.metadata.managedFields).toBeUndefined();
    const { body: refused } = await call("PATCH", `${ACCOUNTS}/one?fieldManager=b`, {
      body: account({ automountServiceAccountToken: true }),
      type: "application/apply-patch+yaml",
    });
    expect(refused).toMatchObject({
      code: 500,
      message:
        'failed to create manager for existing fields: failed to convert new object (default/one; /v1, Kind=ServiceAccount) to smd typed: .secrets: element 0: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
    });
  });
});

describe("an apply configuration with undecodable values", () => {
  it.each([
    [
      "v1",
      "LimitRange",
      "/api/v1/namespaces/default/limitranges",
      { spec: { limits: [{ type: "Pod", max: { a: "?" } }] } },
    ],
    ["events.k8s.io/v1", "Event", "/apis/events.k8s.io/v1/namespaces/default/events", { eventTime: "?" }],
  ])("of %s %s is rejected with its name and type", async (apiVersion, kind, path, more) => {
    const { body } = await call("PATCH", `${path}/two?fieldManager=b`, {
      body: { apiVersion, kind, metadata: { name: "two" }, ...more },
      type: "application/apply-patch+yaml",
    });
    const type = `${apiVersion === "v1" ? "/v1" : apiVersion}, Kind=${kind}`;
    expect(body.code).toBe(500);
    expect(body.message).toContain(
      `failed to convert new object (/two; ${type}) to proper version: unable to convert unstructured object to ${type}: `,
    );
  });
});
