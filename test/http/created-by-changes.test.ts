import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const RBAC = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const APPLY = "application/apply-patch+yaml";

/** Lets a user do these things with leases and config maps. */
async function grant(user: string, verbs: readonly string[]): Promise<void> {
  const rules = [
    { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs },
    { apiGroups: [""], resources: ["configmaps"], verbs },
  ];
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: user };
  await call("POST", `${RBAC}/roles`, { body: { metadata: { name: user }, rules } });
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }];
  await call("POST", `${RBAC}/rolebindings`, { body: { metadata: { name: user }, roleRef, subjects } });
}

describe("what an update or an apply does not find", () => {
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "one" } };

  it("is created only by those who may create", async () => {
    await grant("changer", ["get", "update", "patch"]);
    const headers = { "Impersonate-User": "changer" };
    const why = `User "changer" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "default"`;
    const refused = [403, `leases.coordination.k8s.io "one" is forbidden: ${why}`];
    const put = await call("PUT", `${LEASES}/one`, { headers, body: lease });
    expect([put.status, put.body.message]).toEqual(refused);
    const applied = await call("PATCH", `${LEASES}/one?fieldManager=a`, { headers, type: APPLY, body: lease });
    expect([applied.status, applied.body.message]).toEqual(refused);
    expect((await call("GET", `${LEASES}/one`)).status).toBe(404);
    await call("POST", LEASES, { body: lease });
    const found = await call("PATCH", `${LEASES}/one?fieldManager=a`, { headers, type: APPLY, body: lease });
    expect(found.status).toBe(200);
  });

  it("is told to be wrong before anybody is told that they may not create it", async () => {
    const headers = { "Impersonate-User": "changer" };
    const wrong = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "two", labels: { "a b": "c" } } };
    const path = "/api/v1/namespaces/default/configmaps/two?fieldManager=a";
    expect((await call("PATCH", path, { headers, type: APPLY, body: wrong })).status).toBe(422);
  });

  it("is created by those who may do both", async () => {
    await grant("maker", ["create", "update"]);
    const body = { ...lease, metadata: { name: "three" } };
    const made = await call("PUT", `${LEASES}/three`, { headers: { "Impersonate-User": "maker" }, body });
    expect(made.status).toBe(201);
  });
});

describe("a deletion of all objects of one name", () => {
  it("is asked for as one of all objects", async () => {
    const path = "/api/v1/namespaces/default/pods?fieldSelector=metadata.name%3Da";
    const { body } = await call("DELETE", path, { headers: { "Impersonate-User": "nobody" } });
    expect(body.message).toMatch(/^pods is forbidden: User "nobody" cannot deletecollection/);
    expect(body.details).toEqual({ kind: "pods" });
  });
});

describe("who asks, and for what", () => {
  it("may do nothing that has no verb, and is told so", async () => {
    const { body } = await call("OPTIONS", "/api/v1/namespaces/default/pods", {
      headers: { "Impersonate-User": "nobody" },
    });
    expect(body.message).toMatch(/^pods is forbidden: User "nobody" cannot {2}resource "pods" in API group "" /);
  });

  it("may have a name in any script", async () => {
    const name = Buffer.from("Žofie", "utf8").toString("latin1");
    const request = { headers: { "Impersonate-User": name }, body: Buffer.from("{}") };
    const { body } = await call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", request);
    expect(body.status.userInfo.username).toBe("Žofie");
  });

  it("brings no uid to a token", async () => {
    await call("POST", "/api/v1/namespaces/default/serviceaccounts", { body: { metadata: { name: "robot" } } });
    const asked = { metadata: { uid: "mine" }, spec: {} };
    const { body } = await call("POST", "/api/v1/namespaces/default/serviceaccounts/robot/token", { body: asked });
    expect(body.metadata.uid).toBeUndefined();
    expect(body.status.token).toEqual(expect.any(String));
  });
});
