import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";
import { availability, type ExtensionServer, eventually, register, startExtension } from "./extension-server.ts";

const { call } = servePlane({ "service-cluster-ip-range": "127.0.0.0/24" });
const SERVICES = "/api/v1/namespaces/default/services";
const ENDPOINTS = "/api/v1/namespaces/default/endpoints";
let extension: ExtensionServer;
let status = 200;

beforeAll(async () => {
  extension = await startExtension((_req, res) => res.writeHead(status).end("{}"));
});

afterAll(() => extension.close());

describe("the condition Available of an APIService", () => {
  it("names the first missing prerequisite, and changes with it", async () => {
    const group = "steps.example.com";
    const service = { namespace: "default", name: "steps", port: extension.port };
    const spec = { group, version: "v1", groupPriorityMinimum: 100, versionPriority: 1, service };
    const metadata = { name: `v1.${group}` };
    const body = { metadata, spec: { ...spec, insecureSkipTLSVerify: true } };
    await call("POST", "/apis/apiregistration.k8s.io/v1/apiservices", { body });
    const judged = async (reason: string) => {
      const { status, message } = await availability(call, metadata.name, reason);
      return [status, message];
    };
    expect(await judged("ServiceNotFound")).toEqual(["False", 'service/steps in "default" is not present']);
    expect((await call("GET", `/apis/${group}/v1/things`)).text).toBe("service unavailable\n");
    const ports = [{ name: "api", port: extension.port + 1 }];
    const created = await call("POST", SERVICES, {
      body: { metadata: { name: "steps" }, spec: { clusterIP: "127.0.0.9", ports } },
    });
    expect(created.status).toBe(201);
    expect(await judged("ServicePortError")).toEqual([
      "False",
      `service/steps in "default" is not listening on port ${extension.port}`,
    ]);
    const patch = { spec: { ports: [{ name: "api", port: extension.port }] } };
    await call("PATCH", `${SERVICES}/steps`, { body: patch, type: "application/merge-patch+json" });
    expect(await judged("EndpointsNotFound")).toEqual([
      "False",
      'cannot find endpoints for service/steps in "default"',
    ]);
    const subsets = [{ addresses: [{ ip: "10.1.2.3" }], ports: [{ name: "other", port: extension.port }] }];
    await call("POST", ENDPOINTS, { body: { metadata: { name: "steps" }, subsets } });
    expect(await judged("MissingEndpoints")).toEqual([
      "False",
      'endpoints for service/steps in "default" have no addresses with port name "api"',
    ]);
    subsets[0]!.ports[0]!.name = "api";
    await call("PUT", `${ENDPOINTS}/steps`, { body: { metadata: { name: "steps" }, subsets } });
    const url = `https://127.0.0.9:${extension.port}/apis/${group}/v1`;
    expect(await judged("FailedDiscoveryCheck")).toEqual([
      "False",
      `failing or missing response from ${url}: Get "${url}": dial tcp 127.0.0.9:${extension.port}: connect: connection refused`,
    ]);
  });

  it("depends on a request to the server, which is repeated while it fails", async () => {
    status = 500;
    const failing = await startExtension((_req, res) => res.end());
    await failing.close();
    const name = await register(call, { ...failing, group: "later.example.com" });
    const { message } = await availability(call, name, "FailedDiscoveryCheck");
    expect(message).toMatch(
      /^failing or missing response from https:\/\/localhost:\d+\/apis\/later\.example\.com\/v1: Get "/,
    );
    expect(message).toMatch(/connect: connection refused$/);
    const patch = { spec: { service: { port: extension.port } } };
    await call("PATCH", `/apis/apiregistration.k8s.io/v1/apiservices/${name}`, {
      body: patch,
      type: "application/merge-patch+json",
    });
    expect(await availability(call, name, "Passed")).toMatchObject({ status: "True", message: "all checks passed" });
  });

  it("is always true for a version that this server serves itself", async () => {
    const spec = { group: "local.example.com", version: "v1", groupPriorityMinimum: 100, versionPriority: 1 };
    const metadata = { name: "v1.local.example.com" };
    await call("POST", "/apis/apiregistration.k8s.io/v1/apiservices", { body: { metadata, spec } });
    const local = { status: "True", message: "Local APIServices are always available" };
    expect(await availability(call, metadata.name, "Local")).toMatchObject(local);
    const name = await register(call, { ...extension, group: "back.example.com" });
    await availability(call, name, "Passed");
    const { spec: remote } = (await call("GET", `/apis/apiregistration.k8s.io/v1/apiservices/${name}`)).body;
    const { service: _service, caBundle: _bundle, ...rest } = remote;
    const { body } = await call("GET", `/apis/apiregistration.k8s.io/v1/apiservices/${name}`);
    await call("PUT", `/apis/apiregistration.k8s.io/v1/apiservices/${name}`, { body: { ...body, spec: rest } });
    expect(await availability(call, name, "Local")).toMatchObject(local);
  });

  it("does not depend on ports or endpoints of an ExternalName service", async () => {
    const name = await register(call, { ...extension, group: "external.example.com", service: "external" });
    await availability(call, name, "Passed");
    await call("DELETE", `${SERVICES}/external`);
    await availability(call, name, "ServiceNotFound");
    const { text } = await call("GET", "/metrics");
    expect(text).toContain(`aggregator_unavailable_apiservice{name="${name}"} 1\n`);
    expect(text).toContain('aggregator_unavailable_apiservice{name="v1.apps"} 0\n');
    expect(text).toContain(`aggregator_unavailable_apiservice_total{name="${name}",reason="ServiceNotFound"} 1\n`);
    const refused = await eventually(
      () => call("GET", "/apis/external.example.com/v1/things"),
      (answer) => answer.status === 503,
    );
    expect(refused.text).toBe("service unavailable\n");
  });
});
