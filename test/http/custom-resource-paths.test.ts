import { beforeAll, describe, expect, it, vi } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const THINGS = "/apis/paths.example.com/v1/namespaces/default/things";
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const AS_METADATA = ";as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
const thing = { apiVersion: "paths.example.com/v1", kind: "Thing", metadata: { name: "a" }, spec: { n: 1 } };

beforeAll(async () => {
  const version = {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    subresources: { status: {}, scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" } },
  };
  await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    body: {
      metadata: { name: "things.paths.example.com" },
      spec: {
        group: "paths.example.com",
        scope: "Namespaced",
        names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
        versions: [version],
      },
    },
  });
  await vi.waitFor(async () => expect((await call("GET", THINGS)).status).toBe(200), 120_000);
  await call("POST", THINGS, { body: thing });
});

const messageOf = async (...request: Parameters<typeof call>): Promise<[number, string]> => {
  const { status, body } = await call(...request);
  return [status, body?.message ?? body?.kind ?? ""];
};

describe("a request for a custom resource", () => {
  it("is routed by its verb rather than by its HTTP method", async () => {
    expect((await call("HEAD", `${THINGS}/a`)).status).toBe(200);
    expect(await messageOf("OPTIONS", THINGS)).toEqual([
      405,
      ' is not supported on resources of kind "things.paths.example.com"',
    ]);
    expect(await messageOf("PUT", THINGS, { body: thing })).toEqual([400, "name must be provided"]);
    expect((await call("PATCH", THINGS, { body: {}, type: "application/strategic-merge-patch+json" })).status).toBe(
      415,
    );
    expect(await messageOf("POST", `${THINGS}/other`, { body: thing })).toEqual([
      409,
      'things.paths.example.com "a" already exists',
    ]);
    expect(await messageOf("GET", `${THINGS}/a/status/more`)).toEqual([200, "Thing"]);
  });

  it("supports protobuf only for partial metadata and falls back to the next accepted media type", async () => {
    const accepting = (accept: string, path = `${THINGS}/a`) => call("GET", path, { headers: { Accept: accept } });
    expect((await accepting(PROTOBUF)).status).toBe(406);
    expect((await accepting(`${PROTOBUF},application/json`)).body).toMatchObject({ kind: "Thing" });
    const metadata = await accepting(`${PROTOBUF}${AS_METADATA}`);
    expect([metadata.status, metadata.headers["content-type"]]).toEqual([200, PROTOBUF]);
    const only =
      "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf";
    expect((await accepting("text/html")).body.message).toBe(only);
    expect((await accepting(`${PROTOBUF},application/json`, `${THINGS}/a/scale`)).body).toMatchObject({
      kind: "Scale",
    });
  });

  it("gets 400 for an unknown field selector", async () => {
    expect(await messageOf("GET", `${THINGS}?fieldSelector=spec.n%3D1`)).toEqual([
      400,
      "field label not supported: spec.n",
    ]);
  });

  it("gets errors that name the Go types of lists and scales", async () => {
    const as = (kind: string) => ({ headers: { Accept: `application/json;as=${kind};v=v1;g=meta.k8s.io` } });
    expect(await messageOf("GET", THINGS, as("PartialObjectMetadata"))).toEqual([
      406,
      "you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)",
    ]);
    const list = as("PartialObjectMetadataList");
    expect(await messageOf("GET", `${THINGS}/a`, list)).toEqual([500, "content is not a list"]);
    expect((await messageOf("GET", `${THINGS}/a/scale`, list))[1]).toContain("is not a list (*v1.Scale)");
  });
});

describe("the discovery document of a custom group version", () => {
  const VERSION = "/apis/paths.example.com/v1";

  it("is sent whatever the method, unlike that of a built-in group version", async () => {
    for (const path of [VERSION, `${VERSION}/`, `${VERSION}//`])
      expect(await messageOf("POST", path)).toEqual([200, "APIResourceList"]);
    expect((await call("DELETE", "/apis/apps/v1")).status).toBe(405);
  });

  it("is negotiated by the clauses of the Accept header alone", async () => {
    expect(await messageOf("GET", VERSION, { headers: { accept: "application/*" } })).toEqual([200, "APIResourceList"]);
    expect(await messageOf("GET", VERSION, { headers: { accept: "text/html" } })).toEqual([
      406,
      "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    ]);
  });
});

describe("a discovery path that ends with two slashes", () => {
  it("gets 404 for the list of groups", async () => {
    const { status, text } = await call("GET", "/apis//");
    expect([status, text]).toEqual([404, "404 page not found\n"]);
  });

  it("takes only GET for a built-in group", async () => {
    expect(await messageOf("GET", "/apis/apps//")).toEqual([200, "APIGroup"]);
    expect((await call("POST", "/apis/apps/")).status).toBe(200);
    expect((await call("POST", "/apis/apps//")).status).toBe(405);
    expect((await call("POST", "/apis/paths.example.com//")).status).toBe(200);
  });
});
