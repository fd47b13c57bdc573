import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";

let plane: Plane;
let call: ReturnType<typeof createClient>;

const CORE = "/api/v1/namespaces/default";
const TABLE = { Accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };

beforeAll(async () => {
  plane = await startPlane({
    flags: {
      controllers: "false",
      "feature-gates": "DynamicResourceAllocation=true",
      "runtime-config": "api/all=true",
    },
  });
  call = createClient(plane);
  await plane.ready;
});

afterAll(() => plane.stop());

describe("a table", () => {
  it("without rows has null rows for kinds with the default columns, and an empty list for others", async () => {
    const headers = TABLE;
    expect((await call("GET", `${CORE}/limitranges`, { headers })).body.rows).toBeNull();
    expect((await call("GET", `${CORE}/limitranges?pretty=true`, { headers })).body.rows).toBeNull();
    expect((await call("GET", `${CORE}/pods`, { headers })).body.rows).toEqual([]);
  });

  it("gets 406 for a review, while partial metadata is supported", async () => {
    const reviews = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
    const refused = await call("POST", reviews, { headers: TABLE, body });
    expect(refused.status).toBe(406);
    expect(refused.body.message).toBe(
      "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    );
    const metadata = { Accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" };
    expect((await call("POST", reviews, { headers: metadata, body })).body.kind).toBe("PartialObjectMetadata");
    const either = { Accept: `${TABLE.Accept},application/json` };
    expect((await call("POST", reviews, { headers: either, body })).body.kind).toBe("SelfSubjectReview");
  });
});

describe("a field selector", () => {
  it.each([
    ["/apis/batch/v1/jobs", 'field label "spec.x" not supported for Job'],
    ["/api/v1/pods", "field label not supported: spec.x"],
    ["/api/v1/configmaps", '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    [
      "/apis/resource.k8s.io/v1beta1/resourceslices",
      "field label not supported for resource.k8s.io/v1beta1, Kind=ResourceSlice: spec.x",
    ],
  ])("for %s with an unknown field gets 400 with the message of that kind", async (path, message) => {
    const { status, body } = await call("GET", `${path}?fieldSelector=spec.x=1`);
    expect([status, body.message]).toEqual([400, message]);
  });

  it("supports metadata.namespace for namespaced kinds and kinds without own selectable fields", async () => {
    const select = async (path: string) => (await call("GET", `${path}?fieldSelector=metadata.namespace=x`)).body;
    expect((await select("/api/v1/nodes")).message).toBe("field label not supported: metadata.namespace");
    expect((await select("/api/v1/persistentvolumes")).items).toEqual([]);
    expect((await select("/api/v1/pods")).items).toEqual([]);
  });
});

describe("DELETE", () => {
  const map = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });

  it("takes preconditions from the query, for one object and for a collection", async () => {
    const { body } = await call("POST", `${CORE}/configmaps`, { body: map("guarded") });
    const { resourceVersion, uid } = body.metadata;
    const stale = await call("DELETE", `${CORE}/configmaps/guarded?resourceVersion=1`);
    expect(stale.body).toMatchObject({ code: 409, reason: "Conflict" });
    const all = await call("DELETE", `${CORE}/configmaps?resourceVersion=0`);
    expect(all.body.message).toBe(
      `Operation cannot be fulfilled on ConfigMap "guarded": the ResourceVersion in the precondition (0) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
    expect((await call("DELETE", `${CORE}/configmaps/guarded?uid=other`)).status).toBe(409);
    const done = await call("DELETE", `${CORE}/configmaps/guarded?uid=${uid}&resourceVersion=${resourceVersion}`);
    expect(done.status).toBe(200);
  });

  it("of Jobs warns about preserved pods even if there is nothing to delete", async () => {
    const { status, headers } = await call("DELETE", "/apis/batch/v1/namespaces/default/jobs/absent");
    expect(status).toBe(404);
    expect(headers.warning).toContain("child pods are preserved by default when jobs are deleted");
    const all = await call("DELETE", "/apis/batch/v1/namespaces/default/jobs");
    expect(all.headers.warning).toContain("child pods are preserved by default when jobs are deleted");
  });
});

describe("the proxy subresource", () => {
  it("of a Node needs an address of the node", async () => {
    const addresses = [{ type: "Odd", address: "a" }];
    await call("POST", "/api/v1/nodes", { body: { metadata: { name: "bare" } } });
    await call("POST", "/api/v1/nodes", { body: { metadata: { name: "odd" }, status: { addresses } } });
    const message = async (name: string) => (await call("GET", `/api/v1/nodes/${name}/proxy/x`)).body.message;
    expect(await message("bare")).toBe("no preferred addresses found; known addresses: []");
    expect(await message("odd")).toBe("no preferred addresses found; known addresses: [{Odd a}]");
  });

  it("of a Service needs endpoints", async () => {
    const service = { apiVersion: "v1", kind: "Service", metadata: { name: "web" }, spec: { ports: [{ port: 80 }] } };
    await call("POST", `${CORE}/services`, { body: service });
    const proxy = async (name: string) => (await call("GET", `${CORE}/services/${name}/proxy/x`)).body;
    expect(await proxy("absent")).toMatchObject({ code: 404, message: 'services "absent" not found' });
    expect(await proxy("web")).toMatchObject({ code: 404, message: 'services "web" not found' });
    const endpoints = { apiVersion: "v1", kind: "Endpoints", metadata: { name: "web" } };
    await call("POST", `${CORE}/endpoints`, { body: endpoints });
    expect(await proxy("web")).toMatchObject({ code: 503, message: 'no endpoints available for service "web"' });
    const subsets = [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ port: 80 }] }];
    await call("PUT", `${CORE}/endpoints/web`, { body: { ...endpoints, subsets } });
    for (const name of ["web", "web:80", "http:web:80", "https:web:"]) {
      const message = "cannot proxy service web: this server has no connection to nodes";
      expect(await proxy(name)).toMatchObject({ code: 503, reason: "ServiceUnavailable", message });
    }
    expect(await proxy("ftp:web:80")).toMatchObject({ code: 400, message: 'invalid service request "ftp:web:80"' });
  });
});

describe("managedFields", () => {
  it("do not contain annotations for conversion or a null reference", async () => {
    const autoscaler = {
      apiVersion: "autoscaling/v1",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "scaler" },
      spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, maxReplicas: 3 },
    };
    const path = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
    const v2 = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
    await call("POST", path, { body: autoscaler });
    const behavior = { scaleDown: { stabilizationWindowSeconds: 7 } };
    const patch = { type: "application/merge-patch+json", body: { spec: { behavior } } };
    await call("PATCH", `${v2}/scaler`, patch);
    const read = await call("GET", `${path}/scaler`);
    const replaced = await call("PUT", `${path}/scaler`, {
      body: { ...read.body, spec: { ...read.body.spec, maxReplicas: 4 } },
    });
    expect(replaced.status).toBe(200);
    expect(JSON.stringify(replaced.body.metadata.managedFields)).not.toContain("carried");
    expect((await call("GET", `${v2}/scaler`)).body.spec.behavior.scaleDown).toMatchObject(behavior.scaleDown);

    await call("POST", `${CORE}/serviceaccounts`, {
      body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } },
    });
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: ["x"] } };
    const token = await call("POST", `${CORE}/serviceaccounts/robot/token`, { body });
    expect(token.body.spec).toMatchObject({ boundObjectRef: null, expirationSeconds: 3600 });
    expect(token.body.metadata.managedFields[0].fieldsV1).toEqual({
      "f:spec": { "f:audiences": {}, "f:expirationSeconds": {} },
    });
  });
});
