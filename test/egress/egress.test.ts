import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createPlain, type RequestListener, type Server } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createAuthority } from "../fixtures/certificates.ts";
import { startConnectProxy, type TestProxy } from "../fixtures/connect-proxy.ts";
import { createClient } from "../fixtures/plane-client.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-egress-"));
const file = (name: string, contents: string | object): string => {
  writeFileSync(join(directory, name), typeof contents === "string" ? contents : stringify(contents));
  return join(directory, name);
};
const selector = (...egressSelections: readonly object[]) => ({
  apiVersion: "apiserver.k8s.io/v1beta1",
  kind: "EgressSelectorConfiguration",
  egressSelections,
});
const { authority, issue } = createAuthority();

/** A server that is a webhook that authenticates `good` and allows every admission, an extension server, and a kubelet. */
const answer: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const review = request.method === "POST" ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    const status = { authenticated: true, user: { username: "jane" } };
    const admitted = { uid: review.request?.uid, allowed: true };
    const body =
      review.kind === "TokenReview"
        ? { ...review, status }
        : review.kind === "AdmissionReview"
          ? { apiVersion: review.apiVersion, kind: review.kind, response: admitted }
          : { path: request.url };
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
};

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

afterAll(() => rmSync(directory, { recursive: true }));

describe("connections through proxies", () => {
  const names = ["127.0.0.1", "hook.default.svc", "ext.default.svc"];
  const secure = createServer(issue("backend", "server", { names }), answer);
  const plain = createPlain(answer);
  let controlplane: TestProxy;
  let cluster: TestProxy;
  let securePort: number;
  let plane: Plane;
  let call: ReturnType<typeof createClient>;
  let refuses = false;

  beforeAll(async () => {
    securePort = await listen(secure);
    const plainPort = await listen(plain);
    const portOf = (_host: string, port: number) => (refuses ? undefined : port === 8080 ? plainPort : securePort);
    const tls = { ...issue("proxy", "server", { names: ["127.0.0.1"] }), authority };
    controlplane = await startConnectProxy({ tls, portOf });
    cluster = await startConnectProxy({ path: join(directory, "cluster.sock"), portOf });
    const client = issue("apiserver", "client");
    const clientCert = file("client.crt", client.cert);
    const clientKey = file("client.key", client.key);
    const tlsConfig = { caBundle: file("ca.crt", authority), clientCert, clientKey };
    const webhook = file("authentication.yaml", {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "it",
      contexts: [{ name: "it", context: { cluster: "it", user: "it" } }],
      clusters: [
        {
          name: "it",
          // Only the proxy can resolve this name.
          cluster: {
            server: "https://tokens.invalid:9443/review",
            "certificate-authority": join(directory, "ca.crt"),
            "tls-server-name": "hook.default.svc",
          },
        },
      ],
      users: [{ name: "it", user: {} }],
    });
    plane = await startPlane({
      flags: {
        controllers: "true",
        "disable-admission-plugins": "ServiceAccount",
        "authentication-token-webhook-config-file": webhook,
        "authentication-token-webhook-cache-ttl": "0s",
        "kubelet-client-certificate": clientCert,
        "kubelet-client-key": clientKey,
        "egress-selector-config-file": file(
          "egress.yaml",
          selector(
            {
              name: "controlplane",
              connection: {
                proxyProtocol: "HTTPConnect",
                transport: { tcp: { url: `https://127.0.0.1:${controlplane.port}`, tlsConfig } },
              },
            },
            {
              name: "Cluster",
              connection: {
                proxyProtocol: "HTTPConnect",
                transport: { uds: { udsName: join(directory, "cluster.sock") } },
              },
            },
          ),
        ),
      },
    });
    call = createClient(plane);
    await plane.ready;
  });

  afterAll(async () => {
    await plane?.stop();
    await Promise.all([controlplane?.close(), cluster?.close()]);
    for (const server of [secure, plain]) {
      server.closeAllConnections();
      server.close();
    }
  });

  const service = (name: string, clusterIP: string) =>
    call("POST", "/api/v1/namespaces/default/services", {
      body: { metadata: { name }, spec: { clusterIP, ports: [{ port: 443 }] } },
    });
  const hook = (name: string, resource: string, clientConfig: object) =>
    call("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
      body: {
        metadata: { name },
        webhooks: [
          {
            name: `${name}.example.com`,
            clientConfig: { ...clientConfig, caBundle: Buffer.from(authority).toString("base64") },
            rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: [resource] }],
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
          },
        ],
      },
    });

  it("reach the token review webhook through the proxy of controlplane, which gets the name and a client certificate", async () => {
    const { body } = await call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
      anonymous: true,
      headers: { Authorization: "Bearer good" },
      body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
    });
    expect(body.status.userInfo.username).toBe("jane");
    expect(controlplane.targets).toContain("tokens.invalid:9443");
    expect(new Set(controlplane.clients)).toEqual(new Set(["apiserver"]));
  });

  it("reach admission webhooks by URL through controlplane and by Service through cluster", async () => {
    await hook("by-url", "configmaps", { url: `https://127.0.0.1:${securePort}/admit` });
    expect((await service("hook", "10.0.0.71")).status).toBe(201);
    await hook("by-service", "secrets", { service: { namespace: "default", name: "hook" } });
    for (const plural of ["configmaps", "secrets"])
      await expect
        .poll(async () => {
          await call("POST", `/api/v1/namespaces/default/${plural}?dryRun=All`, { body: { metadata: { name: "a" } } });
          return plural === "configmaps" ? controlplane.targets : cluster.targets;
        })
        .toContain(plural === "configmaps" ? `127.0.0.1:${securePort}` : "10.0.0.71:443");
  });

  it("reach an extension server through cluster: its availability and forwarded requests", async () => {
    await service("ext", "10.0.0.72");
    const subsets = [{ addresses: [{ ip: "10.7.2.1" }], ports: [{ port: 443 }] }];
    await call("POST", "/api/v1/namespaces/default/endpoints", { body: { metadata: { name: "ext" }, subsets } });
    const caBundle = Buffer.from(authority).toString("base64");
    const spec = { group: "echo.example.com", version: "v1", groupPriorityMinimum: 1, versionPriority: 1, caBundle };
    await call("POST", "/apis/apiregistration.k8s.io/v1/apiservices", {
      body: {
        metadata: { name: "v1.echo.example.com" },
        spec: { ...spec, service: { namespace: "default", name: "ext" } },
      },
    });
    const path = "/apis/echo.example.com/v1/things";
    await expect.poll(async () => (await call("GET", path)).body).toEqual({ path });
    expect(cluster.targets).toContain("10.0.0.72:443");
  });

  it("reach nodes and pods through cluster", async () => {
    const node = { metadata: { name: "n1" }, status: { addresses: [{ type: "InternalIP", address: "10.7.0.1" }] } };
    expect((await call("POST", "/api/v1/nodes", { body: node })).status).toBe(201);
    const pod = { metadata: { name: "p" }, spec: { nodeName: "n1", containers: [{ name: "c", image: "i" }] } };
    const created = await call("POST", "/api/v1/namespaces/default/pods", { body: pod });
    expect(created.status, created.text).toBe(201);
    await call("PUT", "/api/v1/namespaces/default/pods/p/status", {
      body: { ...created.body, status: { podIP: "10.7.1.1", podIPs: [{ ip: "10.7.1.1" }] } },
    });
    expect((await call("GET", "/api/v1/nodes/n1/proxy/pods")).body).toEqual({ path: "/pods" });
    expect((await call("GET", "/api/v1/namespaces/default/pods/p:8080/proxy/x")).body).toEqual({ path: "/x" });
    expect(cluster.targets).toContain("10.7.0.1:10250");
    expect(cluster.targets).toContain("10.7.1.1:8080");
  });

  it("fail with what the proxy answered, and are counted", async () => {
    refuses = true;
    const webhook = { url: "https://other.invalid/admit" };
    await hook("refused", "limitranges", webhook);
    const path = "/api/v1/namespaces/default/limitranges?dryRun=All";
    await expect
      .poll(async () => (await call("POST", path, { body: { metadata: { name: "a" } } })).body.message)
      .toContain(
        `proxy error from 127.0.0.1:${controlplane.port} while dialing other.invalid:443, code 403: 403 Forbidden`,
      );
    refuses = false;
    const { text } = await call("GET", "/metrics");
    const counted = (labels: string) => new RegExp(`^apiserver_egress_dialer_dial_${labels} [1-9]`, "m");
    expect(text).toMatch(counted('start_total\\{protocol="http_connect",transport="tcp"\\}'));
    expect(text).toMatch(counted('duration_seconds_count\\{protocol="http_connect",transport="uds"\\}'));
    expect(text).toMatch(counted('failure_count\\{protocol="http_connect",transport="tcp",stage="proxy"\\}'));
  });
});

describe("an EgressSelectorConfiguration that is wrong", () => {
  const problemOf = (...selections: readonly object[]) =>
    startPlane({
      listen: false,
      flags: { "egress-selector-config-file": file("wrong.yaml", selector(...selections)) },
    }).then(
      async (plane) => {
        await plane.stop();
        return "";
      },
      (error: Error) => error.message,
    );
  const connect = (transport?: object) => ({
    name: "cluster",
    connection: { proxyProtocol: "HTTPConnect", ...(transport && { transport }) },
  });
  const url = "https://127.0.0.1:1";

  it.each<[string, string, object]>([
    ["an unknown protocol", 'connection.protocol: Unsupported value: "Smoke"', { proxyProtocol: "Smoke" }],
    [
      "a transport of a direct connection",
      'connection.transport: Invalid value: "direct": Transport config should be absent for direct connect',
      { proxyProtocol: "Direct", transport: {} },
    ],
    ["no transport", "connection.transport: Required value: transport must be set for HTTPConnect", connect()],
    ["an empty transport", "connection.tcp: Required value: One of TCP or UDS must be set", connect({})],
    ["two transports", "TCP and UDS cannot both be set", connect({ tcp: { url }, uds: { udsName: "/a" } })],
    ["a socket without a name", 'connection.udsName: Invalid value: "nil"', connect({ uds: {} })],
    ["another scheme", "supported connection protocols are http:// and https://", connect({ tcp: { url: "ftp://a" } })],
    ["https without TLS", "TLSConfig must be present when using HTTPS", connect({ tcp: { url } })],
    [
      "http with TLS",
      "TLSConfig config should not be present when using HTTP",
      connect({ tcp: { url: "http://a:1", tlsConfig: {} } }),
    ],
    ["TLS without a certificate", "Using TLS requires clientCert", connect({ tcp: { url, tlsConfig: {} } })],
    [
      "a missing CA",
      'connection.tlsConfig.caBundle: Invalid value: "/none": TLS config ca bundle does not exist',
      connect({ tcp: { url, tlsConfig: { caBundle: "/none" } } }),
    ],
    ["gRPC over TCP", "UDS must be set with GRPC", { proxyProtocol: "GRPC", transport: { tcp: { url } } }],
    [
      "gRPC",
      "proxies of protocol GRPC are not supported",
      { proxyProtocol: "GRPC", transport: { uds: { udsName: "/a" } } },
    ],
  ])("is refused for %s", async (_what, message, given) => {
    const selection = "connection" in given ? given : { name: "cluster", connection: given };
    expect(await problemOf(selection)).toContain(message);
  });

  it("is refused for names that are unknown or doubled", async () => {
    const direct = { proxyProtocol: "Direct" };
    expect(await problemOf({ name: "sea", connection: direct })).toContain(
      'service.connection: Unsupported value: "sea": supported values: "cluster", "controlplane", "etcd"',
    );
    expect(await problemOf({ name: "etcd", connection: direct }, { name: "ETCD", connection: direct })).toContain(
      'service.connection[1]: Duplicate value: "etcd"',
    );
    expect(
      await problemOf({ name: "master", connection: direct }, { name: "controlplane", connection: direct }),
    ).toContain('Duplicate value: "controlplane"');
  });
});
