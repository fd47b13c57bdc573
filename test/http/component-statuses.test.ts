import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createComponentHealth } from "../../runtime/controllers/component-health.ts";
import { servePlane } from "../fixtures/serve-plane.ts";

const COMPONENTS = "/api/v1/componentstatuses";
const WARNING = '299 - "v1 ComponentStatus is deprecated in v1.19+"';

const { call, running } = servePlane();

describe("ComponentStatus", () => {
  it("lists etcd, scheduler and controller manager with their current health and a deprecation warning", async () => {
    const { status, headers, body } = await call("GET", COMPONENTS);
    expect(status).toBe(200);
    expect(headers.warning).toBe(WARNING);
    expect(body).toMatchObject({ kind: "ComponentStatusList", apiVersion: "v1" });
    expect(body.metadata).toEqual({});
    const names = body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
    expect(names.toSorted()).toEqual(["controller-manager", "etcd-0", "scheduler"]);
    for (const item of body.items) {
      expect(item.conditions).toHaveLength(1);
      expect(item.conditions[0]).toMatchObject({ type: "Healthy", status: expect.stringMatching(/^(True|False)$/) });
    }
  });

  it("reports a healthy store as etcd-0", async () => {
    const { status, body } = await call("GET", `${COMPONENTS}/etcd-0`);
    expect(status).toBe(200);
    expect(body).toEqual({
      kind: "ComponentStatus",
      apiVersion: "v1",
      metadata: { name: "etcd-0", creationTimestamp: null },
      conditions: [{ type: "Healthy", status: "True", message: "ok" }],
    });
  });

  it("gets 404 for other components and rejects watches and writes", async () => {
    const watched = await call("GET", `${COMPONENTS}?watch=1`);
    expect(watched.body.message).toBe('watch is not supported on resources of kind "componentstatuses"');
    const missing = await call("GET", `${COMPONENTS}/x`);
    expect(missing.status).toBe(404);
    expect(missing.headers.warning).toBe(WARNING);
    expect(missing.body).toMatchObject({
      message: 'componentstatus "x" not found',
      details: { name: "x", kind: "componentstatus" },
    });
    expect((await call("POST", COMPONENTS, { body: {} })).status).toBe(405);
    expect((await call("DELETE", `${COMPONENTS}/etcd-0`)).status).toBe(405);
  });

  it("supports selectors, tables, partial metadata and protobuf", async () => {
    const chosen = await call("GET", `${COMPONENTS}?fieldSelector=metadata.name=etcd-0`);
    expect(chosen.body.items).toHaveLength(1);
    expect((await call("GET", `${COMPONENTS}?labelSelector=a=b`)).body.items).toEqual([]);
    expect((await call("GET", `${COMPONENTS}?fieldSelector=spec.x=1`)).status).toBe(400);

    const accept = (kind: string) => ({ Accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` });
    const table = await call("GET", `${COMPONENTS}?fieldSelector=metadata.name=etcd-0`, { headers: accept("Table") });
    expect(table.body.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
      "Name",
      "Status",
      "Message",
      "Error",
    ]);
    expect(table.body.rows[0].cells).toEqual(["etcd-0", "Healthy", "ok", ""]);
    const one = await call("GET", `${COMPONENTS}/etcd-0`, { headers: accept("Table") });
    expect(one.body.rows[0].cells).toEqual(["etcd-0", "Healthy", "ok", ""]);
    const metadata = await call("GET", COMPONENTS, { headers: accept("PartialObjectMetadataList") });
    expect(metadata.body.items).toHaveLength(3);
    const protobuf = await call("GET", COMPONENTS, { headers: { Accept: "application/vnd.kubernetes.protobuf" } });
    expect(protobuf.bytes.subarray(0, 4).toString("latin1")).toBe("k8s\0");
    expect(protobuf.text).toContain("ComponentStatusList");
  });
});

describe("the health probe of a component", () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    // Any certificate will do: that of the plane is at hand.
    const { clientCertificate: cert, clientKey: key } = running().client;
    server = createServer({ cert, key }, (req, res) => {
      res.statusCode = req.url === "/healthz" ? 200 : 503;
      res.end("ok");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => server.close());

  const conditionOf = async (endpoint: string, pingStore = async () => 1) => {
    const health = createComponentHealth({ pingStore, endpoints: { scheduler: endpoint } });
    return health.get("scheduler");
  };

  it("reports the status code of the component's health endpoint", async () => {
    expect(await conditionOf(`${url}/healthz`)).toMatchObject({ conditions: [{ status: "True", message: "ok" }] });
    expect(await conditionOf(`${url}/sick`)).toMatchObject({
      conditions: [{ status: "False", message: "HTTP probe failed with statuscode: 503" }],
    });
  });

  it("reports a refused connection as unhealthy", async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    expect(await conditionOf(`https://127.0.0.1:${port}/healthz`)).toMatchObject({
      conditions: [
        {
          status: "False",
          message: `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`,
        },
      ],
    });
  });

  it("reports the error of an unhealthy store", async () => {
    const health = createComponentHealth({ pingStore: () => Promise.reject(new Error("disk full")), endpoints: {} });
    expect(await health.list()).toMatchObject([
      { metadata: { name: "etcd-0" }, conditions: [{ type: "Healthy", status: "False", error: "disk full" }] },
    ]);
  });
});
