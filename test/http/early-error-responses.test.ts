import { expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

it.each([
  [{ "Impersonate-Group": "g" }, "[{Group  g    }]"],
  [{ "Impersonate-Uid": "7" }, "[{UID  7  authentication.k8s.io/v1  }]"],
  [{ "Impersonate-Extra-A": "x" }, "[{UserExtra  x  authentication.k8s.io/v1  a}]"],
])("impersonation headers without Impersonate-User get 500 in plain text: %j", async (headers, shown) => {
  const refused = await call("GET", "/api/v1/pods?limit=1", { headers });
  expect([refused.status, refused.headers["content-type"]]).toEqual([500, "text/plain; charset=utf-8"]);
  expect(refused.text).toBe(
    `Internal Server Error: "/api/v1/pods?limit=1": requested ${shown} without impersonating a user\n`,
  );
});

it("errors are pretty-printed for browsers, curl and ?pretty=true", async () => {
  const read = async (headers: Record<string, string>, query = "") =>
    (await call("GET", `/api/v1/namespaces/default/pods/absent${query}`, { headers })).text;
  expect(await read({})).toMatch(/^\{"kind"/);
  expect(await read({ "User-Agent": "curl/8" })).toMatch(/^\{\n {2}"kind"/);
  expect(await read({}, "?pretty=true")).toMatch(/^\{\n {2}"kind"/);
  expect(await read({}, "?pretty=x")).toMatch(/^\{"kind"/);
  expect(await read({}, "?pretty=")).toMatch(/^\{"kind"/);
  expect(await read({ "User-Agent": "curl/8" }, "?pretty=")).toMatch(/^\{\n {2}"kind"/);
  expect(await read({ "User-Agent": "curl/8" }, "?pretty=False")).toMatch(/^\{"kind"/);
  expect(await read({ Accept: "application/json;pretty=1" }, "?pretty=0")).toMatch(/^\{\n {2}"kind"/);
});

it("403 responses have the header X-Content-Type-Options: nosniff", async () => {
  const refused = await call("GET", "/api/v1/pods", { headers: { "Impersonate-User": "nobody" } });
  expect([refused.status, refused.headers["x-content-type-options"]]).toEqual([403, "nosniff"]);
  const posing = await call("GET", "/api", { anonymous: true, headers: { "Impersonate-User": "bob" } });
  expect([posing.status, posing.headers["x-content-type-options"]]).toEqual([403, "nosniff"]);
  expect((await call("GET", "/livez/ping")).headers).not.toHaveProperty("x-content-type-options");
});

it("media types and methods are checked before the request is handled", async () => {
  const body = { propagationPolicy: "Background" };
  const path = "/api/v1/namespaces/default/configmaps";
  expect((await call("DELETE", `${path}/x`, { body, type: "text/plain" })).status).toBe(415);
  expect((await call("GET", "/version", { headers: { Accept: "application/yaml" } })).status).toBe(406);
  expect((await call("GET", "/api/v1", { headers: { Accept: "text/html" } })).text).toContain(
    "Available representations",
  );
  expect((await call("GET", "/apis", { headers: { Accept: "APPLICATION/JSON" } })).status).toBe(406);
  expect((await call("POST", "/openid/v1/jwks")).status).toBe(405);
  expect((await call("GET", "/healthz/")).status).toBe(404);
});

it("creating a ClusterRoleBinding to an absent role gets a not found error that names clusterrolebindings", async () => {
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const rules = [{ apiGroups: ["rbac.authorization.k8s.io"], resources: ["clusterrolebindings"], verbs: ["create"] }];
  const roleRef = (name: string) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name });
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "eve" }];
  await call("POST", `${rbac}/clusterroles`, { body: { metadata: { name: "binder" }, rules } });
  const binding = (name: string, role: string) => ({ metadata: { name }, roleRef: roleRef(role), subjects });
  await call("POST", `${rbac}/clusterrolebindings`, { body: binding("eve", "binder") });
  await expect
    .poll(async () => {
      const headers = { "Impersonate-User": "eve" };
      const refused = await call("POST", `${rbac}/clusterrolebindings`, { headers, body: binding("more", "absent") });
      return refused.body.message;
    })
    .toBe('clusterrolebindings.rbac.authorization.k8s.io "absent" not found');
});
