import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isGlobalUnicast } from "../../runtime/nodes/global-unicast.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createAuthority } from "../fixtures/certificates.ts";
import { createClient } from "../fixtures/plane-client.ts";

it.each([
  ["10.0.0.1", true],
  ["192.168.1.1", true],
  ["2001:db8::1", true],
  ["fd00::1", true],
  ["127.0.0.1", false],
  ["::1", false],
  ["::ffff:127.0.0.1", false],
  ["0.0.0.0", false],
  ["::", false],
  ["169.254.169.254", false],
  ["fe80::1", false],
  ["224.0.0.1", false],
  ["ff02::1", false],
  ["255.255.255.255", false],
  ["localhost", false],
  ["", false],
])("a proxy may connect to %s: %s", (address, allowed) => {
  expect(isGlobalUnicast(address)).toBe(allowed);
});

/** An address of this machine other than loopback: proxies do not connect to loopback. */
const address = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family, address: each }) => !internal && family === "IPv4" && isGlobalUnicast(each))?.address;

describe.skipIf(address === undefined)("proxies (skipped on a machine without a network interface)", () => {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-proxies-"));
  const requests: IncomingMessage[] = [];
  let backend: Server;
  let port: number;
  let plane: Plane;
  let call: ReturnType<typeof createClient>;

  beforeAll(async () => {
    backend = createServer((request, response) => {
      requests.push(request);
      if (request.url === "/moved") response.writeHead(302, { Location: "/elsewhere?a=1" }).end();
      else if (request.url === "/away") response.writeHead(302, { Location: "https://example.com/" }).end();
      else request.pipe(response.writeHead(200, { "Content-Type": "text/html", "X-Backend": "yes" }));
    });
    await new Promise<void>((resolve) => backend.listen(0, address, resolve));
    ({ port } = backend.address() as AddressInfo);
    const { issue } = createAuthority();
    const client = issue("apiserver", "client");
    const file = (name: string, text: string) => {
      writeFileSync(join(directory, name), text);
      return join(directory, name);
    };
    plane = await startPlane({
      flags: {
        controllers: "false",
        "disable-admission-plugins": "ServiceAccount",
        "kubelet-client-certificate": file("client.crt", client.cert),
        "kubelet-client-key": file("client.key", client.key),
      },
    });
    call = createClient(plane);
    await plane.ready;
    const ports = [{ containerPort: port }];
    await call("POST", "/api/v1/namespaces/default/pods", {
      body: { metadata: { name: "web" }, spec: { nodeName: "n", containers: [{ name: "c", image: "i", ports }] } },
    });
    await call("PATCH", "/api/v1/namespaces/default/pods/web/status", {
      type: "application/merge-patch+json",
      body: { status: { phase: "Running", podIP: address, podIPs: [{ ip: address }] } },
    });
    await call("POST", "/api/v1/namespaces/default/services", {
      body: { metadata: { name: "web" }, spec: { ports: [{ name: "http", port: 80 }] } },
    });
    const targetRef = { kind: "Pod", name: "web", namespace: "default" };
    await call("POST", "/api/v1/namespaces/default/endpoints", {
      body: {
        metadata: { name: "web" },
        subsets: [{ addresses: [{ ip: address, targetRef }], ports: [{ name: "http", port }] }],
      },
    });
    await call("POST", "/api/v1/nodes", {
      body: { metadata: { name: "n" }, status: { addresses: [{ type: "InternalIP", address }] } },
    });
  });

  afterAll(async () => {
    await plane.stop();
    backend.closeAllConnections();
    await new Promise((resolve) => backend.close(resolve));
    rmSync(directory, { recursive: true });
  });

  it.each([
    ["a pod, at its first port", () => "/api/v1/namespaces/default/pods/web/proxy"],
    ["a pod, at a port", () => `/api/v1/namespaces/default/pods/web:${port}/proxy`],
    ["a service, by the number of a port", () => "/api/v1/namespaces/default/services/web:80/proxy"],
    ["a service, by the name of a port", () => "/api/v1/namespaces/default/services/http:web:http/proxy"],
    ["a node, at a port other than the kubelet's", () => `/api/v1/nodes/n:${port}/proxy`],
  ])("pass a request on to %s", async (_target, prefix) => {
    requests.splice(0);
    const answer = await call("POST", `${prefix()}/some/path/?x=1&x=2`, { body: { hello: "there" } });
    expect([answer.status, answer.headers["x-backend"], answer.text]).toEqual([200, "yes", '{"hello":"there"}']);
    const [request] = requests;
    expect(request?.url).toBe("/some/path/?x=1&x=2");
    expect(request?.headers).toMatchObject({
      "x-forwarded-uri": `${prefix()}/some/path/`,
      "x-forwarded-proto": "https",
    });
    expect(request?.headers).not.toHaveProperty("authorization");
  });

  it("rewrite redirects of the target, and leave those to other hosts as they are", async () => {
    const prefix = "/api/v1/namespaces/default/pods/web/proxy";
    expect((await call("GET", `${prefix}/moved`)).headers.location).toBe(`${prefix}/elsewhere?a=1`);
    expect((await call("GET", `${prefix}/away`)).headers.location).toBe("https://example.com/");
  });

  it("answer 503 if the target cannot be reached", async () => {
    const refused = await call("GET", "/api/v1/namespaces/default/pods/web:1/proxy/");
    expect([refused.status, refused.body.reason, refused.body.message]).toEqual([
      503,
      "ServiceUnavailable",
      expect.stringMatching(/^error trying to reach service: dial tcp .*: connect: connection refused$/),
    ]);
  });

  it("need the permission for the proxy subresource", async () => {
    const headers = { "Impersonate-User": "nobody" };
    expect((await call("GET", "/api/v1/namespaces/default/pods/web/proxy/", { headers })).status).toBe(403);
  });
});
