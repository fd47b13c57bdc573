import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const RBAC = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const APPLY = "application/apply-patch+yaml";

/** Grants a user these verbs for Leases and ConfigMaps. */
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

describe("an object that an update or apply would create", () => {
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "one" } };

  it("gets 403 for a user who has no permission to create", async () => {
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

  it("is validated before the permission to create is checked", async () => {
    const headers = { "Impersonate-User": "changer" };
    const wrong = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "two", labels: { "a b": "c" } } };
    const path = "/api/v1/namespaces/default/configmaps/two?fieldManager=a";
    expect((await call("PATCH", path, { headers, type: APPLY, body: wrong })).status).toBe(422);
  });

  it("is created for a user with permission to create and update", async () => {
    await grant("maker", ["create", "update"]);
    const body = { ...lease, metadata: { name: "three" } };
    const made = await call("PUT", `${LEASES}/three`, { headers: { "Impersonate-User": "maker" }, body });
    expect(made.status).toBe(201);
  });
});

describe("DELETE of a collection with a field selector for one name", () => {
  it("is authorized with the verb deletecollection", async () => {
    const path = "/api/v1/namespaces/default/pods?fieldSelector=metadata.name%3Da";
    const { body } = await call("DELETE", path, { headers: { "Impersonate-User": "nobody" } });
    expect(body.message).toMatch(/^pods is forbidden: User "nobody" cannot deletecollection/);
    expect(body.details).toEqual({ kind: "pods" });
  });
});

describe("a request", () => {
  it("with an HTTP method that has no verb gets 403", async () => {
    const { body } = await call("OPTIONS", "/api/v1/namespaces/default/pods", {
      headers: { "Impersonate-User": "nobody" },
    });
    expect(body.message).toMatch(/^pods is forbidden: User "nobody" cannot {2}resource "pods" in API group "" /);
  });

  it("may impersonate a user whose name is not ASCII", async () => {
    const name = Buffer.from("Žofie", "utf8").toString("latin1");
    const request = { headers: { "Impersonate-User": name }, body: Buffer.from("{}") };
    const { body } = await call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", request);
    expect(body.status.userInfo.username).toBe("Žofie");
  });

  it("for a token cannot set the uid of the TokenRequest", async () => {
    await call("POST", "/api/v1/namespaces/default/serviceaccounts", { body: { metadata: { name: "robot" } } });
    const asked = { metadata: { uid: "mine" }, spec: {} };
    const { body } = await call("POST", "/api/v1/namespaces/default/serviceaccounts/robot/token", { body: asked });
    expect(body.metadata.uid).toBeUndefined();
    expect(body.status.token).toEqual(expect.any(String));
  });
});
