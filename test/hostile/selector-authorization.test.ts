import { beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

/** Node n1 may list the pods on n1, and a user may list the one Secret that its role names. */
const { call } = servePlane({ "authorization-mode": "Node,RBAC", "disable-admission-plugins": "ServiceAccount" });
const NODE = { "Impersonate-User": "system:node:n1", "Impersonate-Group": "system:nodes" };
const READER = { "Impersonate-User": "reader" };
const NAMES = /secret-of-others/;

beforeAll(async () => {
  const pod = (name: string, nodeName: string) => ({
    metadata: { name },
    spec: { nodeName, containers: [{ name: "c", image: "i" }] },
  });
  for (const [name, node] of [
    ["mine", "n1"],
    ["secret-of-others", "n2"],
  ] as const)
    expect((await call("POST", "/api/v1/namespaces/default/pods", { body: pod(name, node) })).status).toBe(201);
  for (const name of ["known", "secret-of-others"])
    await call("POST", "/api/v1/namespaces/default/secrets", { body: { metadata: { name } } });
  const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
  const rules = [
    { apiGroups: [""], resources: ["secrets"], resourceNames: ["known"], verbs: ["list", "watch", "get"] },
  ];
  await call("POST", `${roles}/roles`, { body: { metadata: { name: "one" }, rules } });
  await call("POST", `${roles}/rolebindings`, {
    body: {
      metadata: { name: "one" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "one" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "reader" }],
    },
  });
});

const pods = (query: string, headers = NODE) => call("GET", `/api/v1/pods?${query}`, { headers });
const secrets = (query: string) => call("GET", `/api/v1/namespaces/default/secrets?${query}`, { headers: READER });

describe("a node that narrows a list of pods to itself", () => {
  it("gets its own pods", async () => {
    const { status, body } = await pods("fieldSelector=spec.nodeName%3Dn1");
    expect([status, body.items.map((item: { metadata: { name: string } }) => item.metadata.name)]).toEqual([
      200,
      ["mine"],
    ]);
  });

  it.each([
    ["a semicolon, for which the parameter is not read", "fieldSelector=spec.nodeName%3Dn1,metadata.namespace!%3Da;b"],
    ["a broken escape", "fieldSelector=spec.nodeName%3Dn1,metadata.namespace!%3D%zz"],
    ["a broken escape in the name", "fieldSelector%z=spec.nodeName%3Dn1"],
    ["another node first", "fieldSelector=spec.nodeName%3Dn2&fieldSelector=spec.nodeName%3Dn1"],
    ["an empty selector first", "fieldSelector=&fieldSelector=spec.nodeName%3Dn1"],
    ["a selector that cannot be parsed first", "fieldSelector=spec.nodeName&fieldSelector=spec.nodeName%3Dn1"],
    ["an unequal sign", "fieldSelector=spec.nodeName!%3Dn1"],
    ["a fragment", "limit=500#&fieldSelector=spec.nodeName%3Dn1"],
    ["a selector after a second question mark", "limit=500?fieldSelector=spec.nodeName%3Dn1"],
    ["another case", "fieldselector=spec.nodeName%3Dn1"],
    ["an escaped zero byte", "fieldSelector=spec.nodeName%3Dn1%00"],
    ["a replacement character", "fieldSelector=spec.nodeName%3Dn1%ff"],
    ["a label selector with a zero byte", "labelSelector=spec.nodeName%3Dn1%00"],
  ])("sees no other pods by %s", async (_, query) => {
    for (const more of ["", "&watch=1&timeoutSeconds=1"]) {
      const { status, text } = await pods(query + more);
      expect(text.replace(/"message":"[^"]*"/, "")).not.toMatch(NAMES);
      expect([400, 403]).toContain(status);
    }
    const deleted = await call("DELETE", `/api/v1/namespaces/default/pods?${query}`, { headers: NODE });
    expect([400, 403]).toContain(deleted.status);
  });

  it("sees no other pods where both terms name a node", async () => {
    const { status, body } = await pods("fieldSelector=spec.nodeName%3Dn1,spec.nodeName%3Dn2");
    if (status === 200) expect(body.items).toEqual([]);
    else expect(status).toBe(403);
  });

  it("is not narrowed where the verb is a prefix of the path", async () => {
    const path = "/api/v1/watch/pods?timeoutSeconds=1&fieldSelector=spec.nodeName%3Dn1";
    expect((await call("GET", path, { headers: NODE })).status).toBe(403);
  });
});

describe("a user whose role names one object", () => {
  it("may list that one", async () => {
    const { status, body } = await secrets("fieldSelector=metadata.name%3Dknown");
    expect([status, body.items.length]).toEqual([200, 1]);
    expect((await secrets("fieldSelector=type!%3Da,metadata.name%3D%3Dknown")).status).toBe(200);
  });

  it.each([
    "fieldSelector=metadata.name%3Dknown;",
    "fieldSelector=metadata.name%3Dknown%zz",
    "fieldSelector=metadata.name!%3Dknown",
    "fieldSelector=&fieldSelector=metadata.name%3Dknown",
    "fieldSelector=type%3DOpaque%5C,metadata.name%3Dknown",
    "fieldSelector=metadata.name%3Dsecret-of-others,metadata.name%3Dknown".replace("secret-of-others,", "x%5C,"),
    "labelSelector=metadata.name%3Dknown",
    "fieldSelector=metadata.name%3Dknown&labelSelector=!!",
  ])("may not list others by %s", async (query) => {
    const { status, text } = await secrets(query);
    expect(text).not.toMatch(NAMES);
    expect([400, 403]).toContain(status);
  });
});

it("reports an invalid selector to users who may list all objects", async () => {
  const message = async (query: string) => (await call("GET", `/api/v1/pods?${query}`)).body.message;
  expect(await message("fieldSelector=spec.nodeName")).toContain("invalid selector: 'spec.nodeName'");
  expect(await message("labelSelector=a%3D%ff")).toContain(String.raw`"\xff"`);
  expect((await call("GET", "/api/v1/pods?fieldSelector=a;b&labelSelector=%zz")).status).toBe(200);
});
