import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../aggregation/extension-server.ts";
import { servePlane } from "../fixtures/serve-plane.ts";

/** Details of responses in which only a comparison with kube-apiserver finds a difference. */
const { call } = servePlane();

const AGGREGATED = { Accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" };
const SECRETS = "/api/v1/namespaces/default/secrets";

const group = "details.example.com";
beforeAll(async () => {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const version = { name: "v1", served: true, storage: true, schema, subresources: { scale, status: {} } };
  const names = { plural: "gears", kind: "Gear" };
  const spec = { group, scope: "Namespaced", names, versions: [version] };
  const body = { metadata: { name: `gears.${group}` }, spec };
  await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body });
  await eventually(
    () => call("GET", `/apis/${group}/v1`),
    ({ status }) => status === 200,
  );
});

describe("discovery", () => {
  it("in one document may be cached, and names the group of custom kinds, whose status is first", async () => {
    const { body, headers } = await call("GET", "/apis", { headers: AGGREGATED });
    expect(headers["cache-control"]).toBe("public");
    const found = body.items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === group);
    const [gears] = found.versions[0].resources;
    expect(gears.responseKind).toEqual({ group, version: "v1", kind: "Gear" });
    expect(gears.subresources).toMatchObject([
      { subresource: "status", responseKind: { group, version: "v1", kind: "Gear" } },
      { subresource: "scale", responseKind: { group: "autoscaling", version: "v1", kind: "Scale" } },
    ]);
    const { resources } = (await call("GET", `/apis/${group}/v1`)).body;
    expect(resources.map(({ name }: { name: string }) => name)).toEqual(["gears", "gears/status", "gears/scale"]);
  });

  it("has the storage version hash of CustomResourceDefinitions that kube-apiserver has", async () => {
    const { resources } = (await call("GET", "/apis/apiextensions.k8s.io/v1")).body;
    expect(resources[0]).toMatchObject({ name: "customresourcedefinitions", storageVersionHash: "jfWCUB31mvA=" });
  });
});

it("an apply of a custom object ignores a generation that is no integer", async () => {
  const path = "/apis/details.example.com/v1/namespaces/default/gears/applied?fieldManager=f";
  const metadata = { name: "applied", generation: 1.5, labels: { a: "b" } };
  const body = { apiVersion: "details.example.com/v1", kind: "Gear", metadata };
  const applied = await call("PATCH", path, { type: "application/apply-patch+yaml", body });
  expect(applied.body.metadata).toMatchObject({ generation: 1, labels: { a: "b" } });
});

it("an EndpointSlice whose ports have neither number nor name is shown without ports", async () => {
  const path = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
  const slice = { metadata: { name: "nameless" }, addressType: "IPv4", endpoints: [], ports: [{}] };
  await call("POST", path, { body: slice });
  const headers = { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
  const { rows } = (await call("GET", `${path}/nameless`, { headers })).body;
  expect(rows[0].cells.slice(0, 4)).toEqual(["nameless", "IPv4", "<unset>", "<unset>"]);
});

it("a watch ignores a wrong includeObject unless it is sent as tables", async () => {
  const path = `${SECRETS}?watch=true&timeoutSeconds=1&includeObject=x`;
  expect((await call("GET", path)).status).toBe(200);
  const headers = { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
  expect((await call("GET", path, { headers })).status).toBe(400);
});

it("reviews begin with their kind", async () => {
  for (const [path, spec] of [
    ["/apis/authentication.k8s.io/v1/selfsubjectreviews", {}],
    ["/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", { spec: { namespace: "default" } }],
  ] as const)
    expect((await call("POST", path, { body: spec })).text).toMatch(/^\{"kind":"Self/);
});

it("the manager of a TokenRequest owns an empty list of audiences", async () => {
  await call("POST", "/api/v1/namespaces/default/serviceaccounts", { body: { metadata: { name: "account" } } });
  const owned = async (spec: object) => {
    const path = "/api/v1/namespaces/default/serviceaccounts/account/token";
    return (await call("POST", path, { body: { spec } })).body.metadata.managedFields[0].fieldsV1["f:spec"];
  };
  expect(await owned({ audiences: [] })).toEqual({ "f:audiences": {}, "f:expirationSeconds": {} });
  expect(await owned({})).toEqual({ "f:expirationSeconds": {} });
});

it("a count of a status that is absent is shown as 0 in error messages", async () => {
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
  const path = "/apis/apps/v1/namespaces/default/deployments";
  const spec = { selector: { matchLabels: { a: "b" } }, template };
  await call("POST", path, { body: { metadata: { name: "counted" }, spec } });
  const options = { type: "application/merge-patch+json", body: { status: { replicas: -1 } } };
  const { message } = (await call("PATCH", `${path}/counted/status`, options)).body;
  expect(message).toContain("status.readyReplicas: Invalid value: 0: cannot be greater than status.replicas");
});

it("a token is bound to an object of the core group if its apiVersion has several slashes", async () => {
  await call("POST", "/api/v1/namespaces/default/serviceaccounts", { body: { metadata: { name: "binding" } } });
  const bound = async (apiVersion: string) => {
    const body = { spec: { boundObjectRef: { kind: "Pod", apiVersion, name: "absent" } } };
    return (await call("POST", "/api/v1/namespaces/default/serviceaccounts/binding/token", { body })).body.message;
  };
  expect(await bound("foo/bar")).toBe("cannot bind token to object of type foo/bar, Kind=Pod");
  expect(await bound("foo/bar/baz")).toBe('pods "absent" not found');
});
