import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../../runtime/plane.ts";
import { createClient } from "../../fixtures/plane-client.ts";
import { sendRaw, targetOf } from "../raw-connection.ts";

const MARKER = "published-cves-secret-marker";
const GROUP = "/apis/cves.example.com/v1";

let plane: Plane;
let call: ReturnType<typeof createClient>;

beforeAll(async () => {
  plane = await startPlane();
  call = createClient(plane);
  await plane.ready;
  for (const plural of ["open", "closed"]) await define(plural, "Namespaced");
  await define("wide", "Cluster");
});
afterAll(() => plane.stop());

async function define(plural: string, scope: string): Promise<void> {
  const kind = `${plural[0]?.toUpperCase()}${plural.slice(1)}`;
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    body: {
      metadata: { name: `${plural}.cves.example.com` },
      spec: {
        group: "cves.example.com",
        scope,
        names: { plural, kind },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    },
  });
  const created = async () => {
    const { status } = await call("POST", objectsOf(plural, scope), {
      body: {
        apiVersion: "cves.example.com/v1",
        kind,
        metadata: { name: "one" },
        data: plural === "open" ? "" : MARKER,
      },
    });
    return status === 201 || status === 409;
  };
  while (!(await created()));
}

const objectsOf = (plural: string, scope: string) =>
  scope === "Cluster" ? `${GROUP}/${plural}` : `${GROUP}/namespaces/default/${plural}`;

/** Requests of a service account of the default namespace with a role there, and the responses. */
async function tenant(name: string, rules: object[]) {
  const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
  await call("POST", "/api/v1/namespaces/default/serviceaccounts", { body: { metadata: { name } } });
  await call("POST", `${rbac}/roles`, { body: { metadata: { name }, rules } });
  await call("POST", `${rbac}/rolebindings`, {
    body: {
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
      subjects: [{ kind: "ServiceAccount", name, namespace: "default" }],
    },
  });
  const { body } = await call("POST", `/api/v1/namespaces/default/serviceaccounts/${name}/token`, {
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
  });
  const headers = { Authorization: `Bearer ${body.status.token}` };
  const ask = (method: string, path: string, more: object = {}) =>
    call(method, path, { headers, anonymous: true, ...more });
  return Object.assign(ask, { headers });
}

/** Returns the response to a request line that is sent unchanged: Node's own client normalizes paths and supports only some methods. */
const raw = (line: string, authorization: string) =>
  sendRaw(
    targetOf(plane.client.server),
    `${line}\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
  );

describe("objects of other kinds", () => {
  it("cannot be reached by names with dots and slashes (CVE-2022-3162, CVE-2015-5305)", async () => {
    const rules = [{ apiGroups: ["cves.example.com"], resources: ["open"], verbs: ["*"] }];
    const ask = await tenant("dots", rules);
    await expect.poll(async () => (await ask("GET", `${GROUP}/namespaces/default/open`)).status).toBe(200);
    for (const path of [
      "namespaces/default/open/..%2fclosed%2fone",
      "namespaces/default/open/%2e%2e%2fclosed",
      "namespaces/default/open/..",
      "namespaces/default/open/.",
      "namespaces/default/../default/closed",
      "namespaces/default%2f..%2f../closed",
      "namespaces/..%2fclosed/open",
      "namespaces/%2e%2e/closed",
      "namespaces/default/open/../closed/one",
    ]) {
      const text = await raw(`GET ${GROUP}/${path} HTTP/1.1`, ask.headers.Authorization);
      expect(text, path).toMatch(/^HTTP\/1\.1 (?:301|400|403|404) /);
      expect(text, path).not.toContain(MARKER);
    }
    for (const name of ["..", ".", "a/b", "a%b", "../closed/one"]) {
      const body = { apiVersion: "cves.example.com/v1", kind: "Open", metadata: { name } };
      expect((await ask("POST", `${GROUP}/namespaces/default/open`, { body })).status, name).toBe(422);
    }
  });

  it("that are cluster-scoped cannot be reached below a namespace (CVE-2019-11247)", async () => {
    const ask = await tenant("wide", [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }]);
    await expect.poll(async () => (await ask("GET", `${GROUP}/namespaces/default/open`)).status).toBe(200);
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      const type = "application/merge-patch+json";
      const { status, text } = await ask(method, `${GROUP}/namespaces/default/wide/one`, { body: {}, type });
      expect([403, 404, 405], method).toContain(status);
      expect(text).not.toContain(MARKER);
    }
    expect((await ask("GET", `${GROUP}/namespaces/default/wide`)).text).not.toContain(MARKER);
    expect((await call("GET", `${GROUP}/wide/one`)).status).toBe(200);
  });
});
