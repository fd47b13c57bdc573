import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { KubeConfig, PortForward } from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { type Kubelet, startKubelet } from "../fixtures/kubelet.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { Kubectl } from "../tools/kubectl.ts";
import { findTool } from "../tools/tools.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-kubelet-"));
const place = (name: string, text = "") => {
  const path = join(directory, name);
  if (text !== "") writeFileSync(path, text);
  return path;
};
const POLICY = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "Metadata" }],
};
const PODS = "/api/v1/namespaces/default/pods";
let kubelet: Kubelet;
let plane: Plane;
let call: ReturnType<typeof createClient>;

beforeAll(async () => {
  mkdirSync(join(directory, "container"));
  kubelet = await startKubelet(join(directory, "container"));
  plane = await startPlane({
    flags: {
      "disable-admission-plugins": "ServiceAccount",
      "kubelet-client-certificate": place("client.crt", kubelet.client.cert),
      "kubelet-client-key": place("client.key", kubelet.client.key),
      "kubelet-certificate-authority": place("kubelet-ca.crt", kubelet.authority),
      "kubelet-preferred-address-types": "InternalIP,Hostname",
      "audit-policy-file": place("policy.json", JSON.stringify(POLICY)),
      "audit-log-path": place("audit.log"),
    },
  });
  call = createClient(plane);
  await plane.ready;
  const node = (name: string, port: number, address = "127.0.0.1") =>
    call("POST", "/api/v1/nodes", {
      body: {
        metadata: { name },
        status: {
          addresses: [{ type: "InternalIP", address }],
          daemonEndpoints: { kubeletEndpoint: { Port: port } },
        },
      },
    });
  await node("alive", kubelet.port);
  await node("dead", 1);
  const pod = (name: string, nodeName: string, containers: string[], status = {}) =>
    call("POST", PODS, {
      body: {
        metadata: { name },
        spec: { nodeName, containers: containers.map((each) => ({ name: each, image: "i" })) },
      },
    }).then(() => call("PATCH", `${PODS}/${name}/status`, { type: "application/merge-patch+json", body: { status } }));
  await pod("web", "alive", ["main"], { phase: "Running", podIP: "127.0.0.1", podIPs: [{ ip: "127.0.0.1" }] });
  await pod("two", "alive", ["one", "waiting", "moved"], { phase: "Running" });
  await pod("lost", "dead", ["main"], { phase: "Running" });
});

afterAll(async () => {
  await plane.stop();
  await kubelet.close();
  rmSync(directory, { recursive: true });
});

describe("the log of a pod", () => {
  it("is read from the kubelet of its node, with the client certificate and without the client's credentials", async () => {
    kubelet.requests.splice(0);
    const log = await call("GET", `${PODS}/web/log?tailLines=2&timestamps=false`, {
      headers: { "X-Remote-User": "eve" },
    });
    expect([log.status, log.headers["content-type"], log.text]).toEqual([200, "text/plain", "second\nthird\n"]);
    const [request] = kubelet.requests;
    expect(request).toMatchObject({
      path: "/containerLogs/default/web/main?tailLines=2",
      client: "kube-apiserver-kubelet-client",
    });
    expect(request?.headers).not.toHaveProperty("authorization");
    expect(request?.headers).not.toHaveProperty("x-remote-user");
    expect((await call("GET", `${PODS}/web/log?previous=true`)).text).toBe("before\n");
  });

  it("needs the name of one of several containers, and passes errors of the kubelet on", async () => {
    expect((await call("GET", `${PODS}/two/log`)).body.message).toContain("a container name must be specified");
    const waiting = await call("GET", `${PODS}/two/log?container=waiting`);
    expect([waiting.status, waiting.body.message]).toEqual([
      400,
      'container "waiting" in pod "p" is waiting to start: ContainerCreating',
    ]);
    const moved = await call("GET", `${PODS}/two/log?container=moved`);
    expect([moved.status, moved.body.message]).toEqual([500, expect.stringMatching(/: redirects forbidden$/)]);
    const lost = await call("GET", `${PODS}/lost/log`);
    expect([lost.status, lost.body.message]).toEqual([
      500,
      expect.stringMatching(
        /^Get "https:\/\/127\.0\.0\.1:1\/containerLogs\/default\/lost\/main": dial tcp .*connection refused$/,
      ),
    ]);
  });
});

describe("streams and proxies", () => {
  it("need an upgrade for exec, attach and portforward", async () => {
    const plain = await call("POST", `${PODS}/web/exec?command=ls`);
    expect([plain.status, plain.body.message]).toEqual([400, "Upgrade request required"]);
  });

  it("do not lead to loopback addresses of nodes, pods and services", async () => {
    for (const path of ["/api/v1/nodes/alive/proxy/pods", `${PODS}/web/proxy/`, `${PODS}/web:8080/proxy/`]) {
      const refused = await call("GET", path);
      expect([refused.status, refused.body.message]).toEqual([400, "address not allowed"]);
    }
    await call("POST", "/api/v1/namespaces/default/services", {
      body: { metadata: { name: "web" }, spec: { ports: [{ port: 80 }] } },
    });
    const subsets = [
      {
        addresses: [{ ip: "10.0.0.9", targetRef: { kind: "Pod", name: "web", namespace: "default" } }],
        ports: [{ port: 8080 }],
      },
    ];
    await call("POST", "/api/v1/namespaces/default/endpoints", { body: { metadata: { name: "web" }, subsets } });
    const foreign = await call("GET", "/api/v1/namespaces/default/services/web/proxy/");
    expect([foreign.status, foreign.body.message]).toEqual([503, 'no endpoints available for service "web"']);
    const absent = await call("GET", "/api/v1/namespaces/default/services/web:81/proxy/");
    expect(absent.body.message).toBe('no service port 81 found for service "web"');
  });

  it("are audited when they begin, and when they end", async () => {
    const audited = (id: string) =>
      readFileSync(place("audit.log"), "utf8")
        .split("\n")
        .filter((line) => line.includes(`"auditID":"${id}"`))
        .map((line) => JSON.parse(line))
        .map(({ stage, responseStatus }) => [stage, responseStatus]);
    const { server, certificateAuthority: ca, token } = plane.client;
    const headers = { Authorization: `Bearer ${token}`, "Audit-ID": "upgraded" };
    const path = `${PODS}/web/exec?command=cat&stdin=true&stdout=true`;
    const socket = new WebSocket(`${server.replace("https", "wss")}${path}`, "v5.channel.k8s.io", { ca, headers });
    await once(socket, "open");
    const switched = { metadata: {}, code: 101 };
    await expect.poll(() => audited("upgraded")).toEqual([["ResponseStarted", switched]]);
    socket.close();
    await expect
      .poll(() => audited("upgraded"))
      .toEqual([
        ["ResponseStarted", switched],
        ["ResponseComplete", switched],
      ]);

    const aborted = new AbortController();
    const { signal } = aborted;
    const following = call("GET", `${PODS}/web/log?follow=true`, { headers: { "Audit-ID": "followed" }, signal });
    await expect.poll(() => audited("followed")).toEqual([["ResponseStarted", { metadata: {}, code: 200 }]]);
    aborted.abort();
    await expect(following).rejects.toThrow();
  });

  it("forward ports for the official JavaScript client", async () => {
    const echo = createServer((socket) => socket.pipe(socket));
    await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
    const { port } = echo.address() as AddressInfo;
    const config = new KubeConfig();
    config.loadFromString(plane.kubeconfig);
    const [input, output] = [new PassThrough(), new PassThrough()];
    let received = "";
    output.on("data", (data) => {
      received += String(data);
    });
    const socket = await new PortForward(config).portForward("default", "web", [port], output, null, input);
    input.write("hello");
    await expect.poll(() => received).toBe("hello");
    (typeof socket === "function" ? socket() : socket)?.close();
    await new Promise((resolve) => echo.close(resolve));
  });
});

const binary = findTool("kubectl");

describe.skipIf(binary === undefined)("kubectl with a kubelet", () => {
  const connect = (stdin?: string): Kubectl => {
    const kubeconfig = place("kubeconfig", plane.kubeconfig);
    return new Kubectl({
      binary: binary ?? "",
      kubeconfig,
      home: directory,
      namespace: "default",
      ...(stdin !== undefined && { stdin }),
    });
  };

  it("follows logs", async () => {
    const following = connect().follow("logs web -f --tail=1");
    await expect.poll(() => following.stdout(), { timeout: 120_000 }).toBe("third\n");
    kubelet.log("fourth");
    await expect.poll(() => following.stdout(), { timeout: 120_000 }).toBe("third\nfourth\n");
    await following.stop();
  });

  it("runs commands with input, output and exit codes", async () => {
    expect(await connect().ok("exec web -- echo hello")).toBe("hello");
    expect(await connect("typed\n").ok("exec -i web -- cat")).toBe("typed");
    const failed = await connect().run("exec web -- sh -c", "echo oops >&2; exit 3");
    expect([failed.code, failed.stderr]).toEqual([3, "oops\ncommand terminated with exit code 3\n"]);
    expect(await connect("to a process\n").ok("attach -i web")).toContain("to a process");
  });

  it("copies files", async () => {
    const local = place("local.txt", "contents\n");
    await connect().ok(`cp ${local} web:copied.txt`);
    expect(readFileSync(join(directory, "container", "copied.txt"), "utf8")).toBe("contents\n");
    await connect().ok(`cp web:copied.txt ${place("back.txt")}`);
    expect(readFileSync(place("back.txt"), "utf8")).toBe("contents\n");
  });
});
