import { connect } from "node:http2";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call, running } = servePlane({ "feature-gates": "CBORServingAndStorage=true" });

const MAPS = "/api/v1/namespaces/default/configmaps";
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

function map(name: string, data: Record<string, string> = { a: "1" }, metadata: Record<string, unknown> = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data };
}

function deployment(name: string) {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: "main", image: "registry.invalid/app:1" }] },
      },
    },
  };
}

describe("an object", () => {
  it("is created with uid and managedFields, read, listed, replaced and deleted", async () => {
    const created = await call("POST", MAPS, { body: map("life") });
    expect(created.status).toBe(201);
    expect(created.body.metadata).toMatchObject({ name: "life", namespace: "default" });
    expect(created.body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(created.body.metadata.managedFields[0]).toMatchObject({ manager: "tests", operation: "Update" });

    expect((await call("GET", `${MAPS}/life`)).text).toBe(created.text);
    const listed = await call("GET", `${MAPS}?fieldSelector=metadata.name=life`);
    expect(listed.body.kind).toBe("ConfigMapList");
    expect(listed.body.items[0]).not.toHaveProperty("kind");
    expect(listed.body.items[0].metadata).toEqual(created.body.metadata);

    const replaced = await call("PUT", `${MAPS}/life`, { body: map("life", { a: "2" }) });
    expect(replaced.body.data).toEqual({ a: "2" });
    expect(replaced.body.metadata.uid).toBe(created.body.metadata.uid);

    const deleted = await call("DELETE", `${MAPS}/life`);
    expect(deleted.body).toMatchObject({ kind: "Status", status: "Success", details: { name: "life" } });
    expect((await call("GET", `${MAPS}/life`)).status).toBe(404);
  });

  it("gets a generated name for generateName", async () => {
    const { body } = await call("POST", MAPS, { body: map("", {}, { name: undefined, generateName: "made-" }) });
    expect(body.metadata.name).toMatch(/^made-[bcdfghjklmnpqrstvwxz2-9]{5}$/);
  });

  it("may have empty owner references and a generation on create", async () => {
    const text = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"big","ownerReferences":[]},"data":{}}`;
    expect((await call("POST", MAPS, { body: text })).status).toBe(201);
    const scale = { ...deployment("wide"), metadata: { name: "wide", generation: 1 } };
    expect((await call("POST", DEPLOYMENTS, { body: scale })).status).toBe(201);
  });

  it("increments its generation only for changes of spec, and keeps status separate", async () => {
    const first = await call("POST", DEPLOYMENTS, { body: { ...deployment("gen"), status: { replicas: 7 } } });
    expect(first.body.metadata.generation).toBe(1);
    expect(first.body.status).toEqual({});
    const type = "application/merge-patch+json";
    const labelled = await call("PATCH", `${DEPLOYMENTS}/gen`, { type, body: { metadata: { labels: { a: "b" } } } });
    expect(labelled.body.metadata.generation).toBe(1);
    const scaled = await call("PATCH", `${DEPLOYMENTS}/gen`, { type, body: { spec: { replicas: 3 } } });
    expect(scaled.body.metadata.generation).toBe(2);
    const status = await call("PATCH", `${DEPLOYMENTS}/gen/status`, {
      type,
      body: { spec: { replicas: 9 }, status: { replicas: 2 } },
    });
    expect(status.body).toMatchObject({ spec: { replicas: 3 }, status: { replicas: 2 }, metadata: { generation: 2 } });
  });

  it("is not stored by a dry run", async () => {
    const { status, body } = await call("POST", `${MAPS}?dryRun=All`, { body: map("dry") });
    expect(status).toBe(201);
    expect(body.metadata).not.toHaveProperty("resourceVersion");
    expect((await call("GET", `${MAPS}/dry`)).status).toBe(404);
  });

  it.each([
    ["1", 500],
    ["18446744073709551615", 500],
    ["18446744073709551616", 201],
    ["x", 201],
  ])("created with the resourceVersion %s answers %d", async (resourceVersion, status) => {
    const created = await call("POST", MAPS, { body: map(`versioned-${resourceVersion}`, {}, { resourceVersion }) });
    expect(created.status, created.text).toBe(status);
  });

  it("is deleted after its finalizers are removed", async () => {
    await call("POST", MAPS, { body: map("held", {}, { finalizers: ["example.com/f"] }) });
    const marked = await call("DELETE", `${MAPS}/held`);
    expect(marked.body.metadata.deletionTimestamp).toBeDefined();
    const again = await call("POST", MAPS, { body: map("held") });
    expect(again.body.message).toBe('object is being deleted: configmaps "held" already exists');
    const dry = await call("POST", `${MAPS}?dryRun=All`, { body: map("held") });
    expect(dry.body.message).toBe('object is being deleted: configmaps "held" already exists');
    const generated = await call("POST", MAPS, { body: map("held", {}, { generateName: "h-" }) });
    expect(generated.body.message).toBe(
      'object is being deleted: configmaps "held" already exists, the server was not able to generate a unique name for the object',
    );
    await call("PATCH", `${MAPS}/held`, {
      type: "application/json-patch+json",
      body: [{ op: "remove", path: "/metadata/finalizers" }],
    });
    expect((await call("GET", `${MAPS}/held`)).status).toBe(404);
  });

  it("is deleted by DELETE of a collection if the selector matches", async () => {
    for (const name of ["c1", "c2", "c3"]) {
      await call("POST", MAPS, { body: map(name, {}, { labels: { set: name === "c3" ? "no" : "yes" } }) });
    }
    const { body } = await call("DELETE", `${MAPS}?labelSelector=set=yes`);
    expect(body.items).toHaveLength(2);
    expect((await call("GET", `${MAPS}?labelSelector=set`)).body.items).toHaveLength(1);
  });
});

describe("the scale subresource", () => {
  it("reads and writes the number of replicas", async () => {
    await call("POST", DEPLOYMENTS, { body: deployment("scaled") });
    const scale = await call("GET", `${DEPLOYMENTS}/scaled/scale`);
    expect(scale.body).toMatchObject({ kind: "Scale", spec: { replicas: 1 }, status: { selector: "app=scaled" } });
    const written = await call("PATCH", `${DEPLOYMENTS}/scaled/scale?fieldManager=scaler`, {
      type: "application/merge-patch+json",
      body: { spec: { replicas: 5 } },
    });
    expect(written.body.spec.replicas).toBe(5);
    const { body } = await call("GET", `${DEPLOYMENTS}/scaled`);
    expect(body.spec.replicas).toBe(5);
    expect(body.metadata.managedFields).toContainEqual(
      expect.objectContaining({
        manager: "scaler",
        subresource: "scale",
        fieldsV1: { "f:spec": { "f:replicas": {} } },
      }),
    );
  });
});

describe("server-side apply", () => {
  const type = "application/apply-patch+yaml";

  it("creates an object, records field managers and reports conflicts", async () => {
    const first = await call("PATCH", `${MAPS}/applied?fieldManager=one`, { type, body: map("applied", { a: "1" }) });
    expect(first.status).toBe(201);
    const second = await call("PATCH", `${MAPS}/applied?fieldManager=two`, { type, body: map("applied", { a: "2" }) });
    expect(second.status).toBe(409);
    expect(second.body.message).toBe('Apply failed with 1 conflict: conflict with "one": .data.a');
    const forced = await call("PATCH", `${MAPS}/applied?fieldManager=two&force=true`, {
      type,
      body: map("applied", { a: "2" }),
    });
    expect(forced.body.data).toEqual({ a: "2" });
  });
});

describe("field validation", () => {
  const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"odd"},"data":{},"unheard":1,"data":{}}`;

  it("warns by default", async () => {
    const { status, headers } = await call("POST", `${MAPS}?dryRun=All`, { body });
    expect(status).toBe(201);
    expect(headers.warning).toContain('299 - "unknown field \\"unheard\\""');
    expect(headers.warning).toContain('299 - "duplicate field \\"data\\""');
  });

  it("rejects the request with Strict and sends no warning with Ignore", async () => {
    const strict = await call("POST", `${MAPS}?dryRun=All&fieldValidation=Strict`, { body });
    expect(strict.status).toBe(400);
    expect(strict.body.message).toContain('strict decoding error: unknown field "unheard", duplicate field "data"');
    expect((await call("POST", `${MAPS}?dryRun=All&fieldValidation=Ignore`, { body })).headers.warning).toBeUndefined();
  });
});

describe("a response", () => {
  it("is sent as JSON, YAML, protobuf, CBOR or pretty JSON", async () => {
    await call("POST", MAPS, { body: map("shown") });
    const get = (accept: string) => call("GET", `${MAPS}/shown`, { headers: { Accept: accept } });
    expect((await get("application/yaml")).text).toContain('apiVersion: v1\ndata:\n  a: "1"\nkind: ConfigMap\n');
    const protobuf = await get("application/vnd.kubernetes.protobuf");
    expect(protobuf.headers["content-type"]).toBe("application/vnd.kubernetes.protobuf");
    expect(protobuf.bytes.subarray(0, 4).toString("latin1")).toBe("k8s\0");
    expect((await get("application/cbor")).bytes.subarray(0, 3).toString("hex")).toBe("d9d9f7");
    expect((await call("GET", `${MAPS}/shown?pretty=true`)).text).toContain('\n  "kind": "ConfigMap",\n');
    const table = await get("application/cbor;as=Table;g=meta.k8s.io;v=v1");
    expect([table.status, table.body.reason]).toEqual([406, "NotAcceptable"]);
    const broken = await call("POST", MAPS, { type: "application/cbor", body: Buffer.of(0xff) });
    expect(broken.body.message).toBe(
      'the object provided is unrecognized (must be of type ConfigMap): unable to determine group/version/kind: cbor: unexpected "break" code (ff)',
    );
    const copy = await call("POST", `${MAPS}?dryRun=All`, {
      type: "application/vnd.kubernetes.protobuf",
      body: protobuf.bytes,
    });
    expect(copy.body.message).toBe('configmaps "shown" already exists');
  });

  it("is sent as a table or as partial metadata", async () => {
    const table = await call("GET", `${MAPS}/shown`, {
      headers: { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    });
    expect(table.body.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(["Name", "Data", "Age"]);
    expect(table.body.rows[0].cells.slice(0, 2)).toEqual(["shown", 1]);
    const partial = await call("GET", MAPS, {
      headers: { Accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" },
    });
    expect(partial.body.kind).toBe("PartialObjectMetadataList");
    expect(Object.keys(partial.body.items[0])).toEqual(["kind", "apiVersion", "metadata"]);
  });

  it("is compressed if it is large and the client accepts gzip", async () => {
    await call("POST", MAPS, { body: map("large", { text: "x".repeat(200_000) }) });
    const { headers, bytes } = await call("GET", `${MAPS}/large`, { headers: { "Accept-Encoding": "gzip" } });
    expect(headers["content-encoding"]).toBe("gzip");
    expect(bytes.length).toBeLessThan(20_000);
  });
});

describe("a paginated list", () => {
  it("shows the same resource version on all pages", async () => {
    for (let index = 0; index < 5; index += 1) {
      await call("POST", MAPS, { body: map(`page-${index}`, {}, { labels: { page: "yes" } }) });
    }
    const first = await call("GET", `${MAPS}?labelSelector=page&limit=2`);
    expect(first.body.items).toHaveLength(2);
    await call("DELETE", `${MAPS}/page-4`);
    const rest = await call("GET", `${MAPS}?labelSelector=page&limit=9&continue=${first.body.metadata.continue}`);
    expect(rest.body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([
      "page-2",
      "page-3",
      "page-4",
    ]);
    expect(rest.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
  });
});

describe("a watch", () => {
  async function events(accept: string) {
    const { body } = await call("GET", `${MAPS}?limit=1`);
    await call("POST", MAPS, { body: map("watched") });
    await call("PATCH", `${MAPS}/watched`, { type: "application/merge-patch+json", body: { data: { a: "2" } } });
    await call("DELETE", `${MAPS}/watched`);
    // Told at once, however slow the machine is: it all happened before.
    const path = `${MAPS}?watch=1&timeoutSeconds=1&resourceVersion=${body.metadata.resourceVersion}`;
    return call("GET", path, { headers: { Accept: accept } });
  }

  it("sends every change in order", async () => {
    const { text, headers } = await events("application/json");
    expect(headers["content-type"]).toBe("application/json");
    const seen = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(seen.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED"]);
    expect(seen[2].object.metadata.name).toBe("watched");
    expect(Number(seen[2].object.metadata.resourceVersion)).toBeGreaterThan(
      Number(seen[1].object.metadata.resourceVersion),
    );
  });

  it("sends frames of protobuf", async () => {
    const { bytes, headers } = await events("application/vnd.kubernetes.protobuf");
    expect(headers["content-type"]).toBe("application/vnd.kubernetes.protobuf;stream=watch");
    let frames = 0;
    for (let at = 0; at < bytes.length; at += 4 + bytes.readUInt32BE(at)) {
      frames += 1;
    }
    expect(frames).toBe(3);
  });

  it("works over WebSocket", async () => {
    const url = `${running().client.server.replace("https", "wss")}${MAPS}?watch=1`;
    const socket = new WebSocket(url, {
      origin: running().client.server,
      ca: running().client.certificateAuthority,
      headers: { Authorization: `Bearer ${running().client.token}` },
    });
    const first = await new Promise<string>((resolve, reject) => {
      socket.once("message", (data) => resolve(String(data)));
      socket.once("error", reject);
    });
    expect(JSON.parse(first)).toMatchObject({ type: "ADDED", object: { kind: "ConfigMap" } });
    socket.close();
  });
});

describe("the server", () => {
  it("supports HTTP/2 and authenticates clients by certificate", async () => {
    const session = connect(running().client.server, {
      ca: running().client.certificateAuthority,
      cert: running().client.clientCertificate,
      key: running().client.clientKey,
    });
    const stream = session.request({ ":path": "/api/v1/namespaces/default" });
    let text = "";
    stream.setEncoding("utf8");
    for await (const chunk of stream) {
      text += chunk;
    }
    session.close();
    expect(JSON.parse(text)).toMatchObject({ kind: "Namespace", metadata: { name: "default" } });
  });

  it("rejects anonymous requests except for health and version", async () => {
    const refused = await call("GET", MAPS, { anonymous: true });
    expect(refused.status).toBe(403);
    expect(refused.body.message).toBe(
      'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"',
    );
    expect((await call("GET", MAPS, { headers: { Authorization: "Bearer wrong" } })).status).toBe(401);
    expect((await call("GET", "/healthz", { anonymous: true })).text).toBe("ok");
    expect((await call("GET", "/version", { anonymous: true })).body.gitVersion).toBe("v1.33.0");
  });
});

describe("paths outside of the resources:", () => {
  it("discovery lists groups, versions and resources", async () => {
    expect((await call("GET", "/api")).body.versions).toEqual(["v1"]);
    expect((await call("GET", "/apis/apps")).body.preferredVersion.version).toBe("v1");
    const { body } = await call("GET", "/api/v1");
    const pods = body.resources.find(({ name }: { name: string }) => name === "pods");
    expect(pods).toMatchObject({ kind: "Pod", shortNames: ["po"], storageVersionHash: "xPOwRZ+Yhw8=" });
  });

  it("aggregated discovery is cached by its ETag", async () => {
    const headers = { Accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" };
    const first = await call("GET", "/apis", { headers });
    expect(first.body.kind).toBe("APIGroupDiscoveryList");
    const second = await call("GET", "/apis", { headers: { ...headers, "If-None-Match": first.headers.etag ?? "" } });
    expect(second.status).toBe(304);
  });

  it("health endpoints support single checks, exclude and verbose", async () => {
    expect((await call("GET", "/livez/ping")).text).toBe("ok");
    expect((await call("GET", "/healthz/nothing")).status).toBe(404);
    const verbose = await call("GET", "/readyz?verbose&exclude=etcd");
    expect(verbose.text).toContain("[+]ping ok\n");
    expect(verbose.text).toContain("[+]etcd excluded: ok\n");
    expect(verbose.text.endsWith("readyz check passed\n")).toBe(true);
  });

  it("OpenAPI v3 documents have immutable URLs with a hash", async () => {
    const { paths } = JSON.parse((await call("GET", "/openapi/v3")).text);
    const url = paths["apis/apps/v1"].serverRelativeURL as string;
    const document = await call("GET", url);
    expect(document.headers["cache-control"]).toBe("public, immutable");
    expect(document.body.openapi).toBe("3.0.0");
    expect((await call("GET", url.replace(/hash=.*/, "hash=OLD"))).status).toBe(301);
  });

  it("OpenAPI v2 is available as protobuf", async () => {
    const Accept = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
    const { headers, bytes } = await call("GET", "/openapi/v2", { headers: { Accept } });
    expect(headers["content-type"]).toBe("application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
    expect(bytes.subarray(0, 5).toString("latin1")).toBe("\n\x032.0");
  });

  it("metrics have the names of Kubernetes and no labels from unknown paths", async () => {
    const { text } = await call("GET", "/metrics");
    expect(text).toMatch(/apiserver_request_total\{code="201",[^}]*verb="POST",[^}]*resource="configmaps"/);
    expect(text).toContain("# TYPE apiserver_request_duration_seconds histogram");
    await call("GET", "/api/v1/made-up-by-a-stranger");
    expect((await call("GET", "/metrics")).text).not.toContain("stranger");
  });
});
