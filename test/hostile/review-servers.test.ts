import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type Server, type TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { stringify } from "yaml";
import { IssuerKeys } from "../../runtime/auth/authenticate/jwt/issuer-keys.ts";
import { systemClock } from "../../runtime/lib/clock.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createAuthority } from "../fixtures/certificates.ts";
import { createClient } from "../fixtures/plane-client.ts";

const MEGABYTE = 1024 * 1024;
const THINGS = "/apis/reviewed.example.com";

interface ReviewType {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** Handler of a server for a request that it has read. */
type Behaviour = (socket: TLSSocket, review: ReviewType) => void;

const directory = mkdtempSync(join(tmpdir(), "typeplane-reviews-"));
const sockets = new Set<TLSSocket>();
const errors: string[] = [];
/** Paths of requests since the start of the current test. */
const asked = new Set<string>();
let behave: Behaviour = (socket) => socket.destroy();
let server: Server;
let address: string;
let authority: string;
let plane: Plane;
let call: ReturnType<typeof createClient>;

beforeAll(async () => {
  const created = createAuthority("reviews");
  authority = created.authority;
  server = createServer(created.issue("hook", "server", { names: ["localhost"] }), serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `https://localhost:${(server.address() as AddressInfo).port}`;
  const flags = {
    controllers: "false",
    "authentication-token-webhook-config-file": kubeconfig("token"),
    "authentication-token-webhook-cache-ttl": "0s",
    "authorization-config": file("authorization.yaml", AUTHORIZATION(kubeconfig("access"))),
    "admission-control-config-file": file("admission.yaml", {
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "AdmissionConfiguration",
      plugins: [
        { name: "ImagePolicyWebhook", configuration: { imagePolicy: { kubeConfigFile: kubeconfig("images") } } },
      ],
    }),
    "enable-admission-plugins": "ImagePolicyWebhook",
    "disable-admission-plugins": "ServiceAccount",
  };
  plane = await startPlane({ flags, log: (level, message) => void (level === "error" && errors.push(message)) });
  call = createClient(plane);
  await plane.ready;
  const definition = await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    body: DEFINITION(),
  });
  expect(definition.status, definition.text).toBe(201);
  await vi.waitFor(async () => expect((await call("GET", `${THINGS}/v1/things`)).status).toBe(200), 60_000);
  const thing = { apiVersion: "reviewed.example.com/v1", kind: "Thing", metadata: { name: "a" } };
  expect((await call("POST", `${THINGS}/v1/things`, { body: thing })).status).toBe(201);
});

afterAll(async () => {
  await plane.stop();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true });
  expect(errors.filter((message) => !/^the (authentication|authorization) webhook/.test(message))).toEqual([]);
});

function serve(socket: TLSSocket): void {
  sockets.add(socket);
  socket.on("close", () => sockets.delete(socket));
  socket.on("error", () => socket.destroy());
  let text = "";
  socket.on("data", (bytes) => {
    text += bytes.toString("latin1");
    const end = text.indexOf("\r\n\r\n");
    if (end < 0 || text.length - (end + 4) < Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)) return;
    asked.add(/^[A-Z]+ \/(\w*)/.exec(text)?.[1] ?? "");
    const { apiVersion = "", kind = "" } = JSON.parse(text.slice(end + 4) || "{}") as ReviewType;
    text = "";
    behave(socket, { apiVersion, kind });
  });
}

function file(name: string, document: object): string {
  writeFileSync(join(directory, name), stringify(document));
  return join(directory, name);
}

function kubeconfig(name: string): string {
  const cluster = {
    server: `${address}/${name}`,
    "certificate-authority-data": Buffer.from(authority).toString("base64"),
  };
  return file(`${name}.kubeconfig`, {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  });
}

const AUTHORIZATION = (kubeConfigFile: string) => ({
  apiVersion: "apiserver.config.k8s.io/v1",
  kind: "AuthorizationConfiguration",
  authorizers: [
    {
      type: "Webhook",
      name: "access",
      webhook: {
        timeout: "5s",
        subjectAccessReviewVersion: "v1",
        matchConditionSubjectAccessReviewVersion: "v1",
        failurePolicy: "Deny",
        connectionInfo: { type: "KubeConfigFile", kubeConfigFile },
        matchConditions: [{ expression: "request.user == 'jane'" }],
      },
    },
    { type: "RBAC", name: "rbac" },
  ],
});

const VERSION = {
  served: true,
  schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
};
const DEFINITION = () => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.reviewed.example.com" },
  spec: {
    group: "reviewed.example.com",
    scope: "Cluster",
    names: { plural: "things", kind: "Thing" },
    versions: [
      { name: "v1", storage: true, ...VERSION },
      { name: "v2", storage: false, ...VERSION },
    ],
    conversion: {
      strategy: "Webhook",
      webhook: {
        clientConfig: { url: `${address}/convert`, caBundle: Buffer.from(authority).toString("base64") },
        conversionReviewVersions: ["v1"],
      },
    },
  },
});

const reply = (body: string | Buffer, headers = "", status = "200 OK"): Behaviour => {
  const bytes = Buffer.from(body);
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\n${headers}\r\n`;
  return (socket) => void socket.write(Buffer.concat([Buffer.from(head, "latin1"), bytes]));
};

/** Allows every request, in a response that must not be accepted. */
const GRANTED = {
  status: { authenticated: true, allowed: true, user: { username: "admin", groups: ["system:masters"] } },
  response: { uid: "00000000-0000-0000-0000-000000000000", result: { status: "Success" }, convertedObjects: [{}] },
};
const granted =
  (more: object): Behaviour =>
  (socket, review) =>
    reply(JSON.stringify({ ...review, ...GRANTED, ...more }))(socket, review);

const endless: Behaviour = (socket) => {
  socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  const piece = `100000\r\n${" ".repeat(MEGABYTE)}\r\n`;
  const more = (): void => {
    if (socket.destroyed) return;
    if (socket.write(piece)) setImmediate(more);
    else socket.once("drain", more);
  };
  more();
};

/** Sends single bytes with pauses. Ends the connection after some time, long before the whole body is sent. */
const trickling: Behaviour = (socket) => {
  socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
  const timer = setInterval(() => socket.write(" "), 50);
  setTimeout(() => socket.end(), 500);
  socket.once("close", () => clearInterval(timer));
};

const RESPONSES: readonly [what: string, behaviour: Behaviour][] = [
  ["endless", endless],
  ["slow, and cut off", trickling],
  ["half of a response", (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")],
  ["no HTTP", (socket) => void socket.end("hello\r\n\r\n")],
  ["a compressed bomb", reply(gzipSync(Buffer.alloc(32 * MEGABYTE, " ")), "Content-Encoding: gzip\r\n")],
  ["empty", reply("")],
  ["HTML", reply("<html></html>")],
  ["broken UTF-8", reply(Buffer.from([0x22, 0xff, 0xfe, 0x22]))],
  ["a list", reply("[]")],
  ["null", reply("null")],
  ["nothing but opening brackets", reply("[".repeat(MEGABYTE / 2))],
  ["nested 100,000 deep", reply(`${'{"status":'.repeat(100_000)}1${"}".repeat(100_000)}`)],
  ["an integer of half a million digits", reply(`{"status":${"9".repeat(500_000)}}`)],
  ["another kind", granted({ kind: "Pod", apiVersion: "v1" })],
  [
    "properties under __proto__",
    reply(`{"__proto__":${JSON.stringify(GRANTED)},"status":{"__proto__":${JSON.stringify(GRANTED.status)}}}`),
  ],
  ["values of other types", granted({ status: { authenticated: "true", allowed: "true", user: "admin" } })],
  ["a status that is a list", granted({ status: [GRANTED.status] })],
  ["a redirect", reply("", "Location: /elsewhere\r\n", "307 Temporary Redirect")],
  ["an error with a body", reply(JSON.stringify(GRANTED), "", "403 Forbidden")],
];

describe("nobody is authenticated, authorized, admitted or converted, and the server goes on, where a webhook's response is", () => {
  const names = RESPONSES.map(([what]) => what);

  it.each(RESPONSES)("%s", async (what, behaviour) => {
    behave = behaviour;
    asked.clear();
    const memory = process.memoryUsage().rss;
    const number = names.indexOf(what);
    const pod = { metadata: { name: "a" }, spec: { containers: [{ name: "c", image: `image-${number}` }] } };
    const [authenticated, authorized, admitted, converted] = await Promise.all([
      call("GET", "/api", { anonymous: true, headers: { Authorization: `Bearer token-${number}` } }),
      call("GET", `/api/v1/namespaces/n${number}/configmaps`, { headers: { "Impersonate-User": "jane" } }),
      call("POST", "/api/v1/namespaces/default/pods?dryRun=All", { body: pod }),
      call("GET", `${THINGS}/v2/things/a`),
    ]);
    expect(authenticated.status, authenticated.text).toBe(401);
    // An authorizer that fails is an internal error, as in Kubernetes.
    expect([403, 500], authorized.text).toContain(authorized.status);
    expect(admitted.status, admitted.text).toBe(403);
    expect(converted.status, converted.text).toBe(500);
    expect([...asked].sort()).toEqual(["access", "convert", "images", "token"]);
    for (const { text } of [authenticated, authorized, admitted, converted]) expect(text.length).toBeLessThan(10_000);
    expect(({} as { allowed?: boolean }).allowed).toBeUndefined();
    expect(process.memoryUsage().rss - memory).toBeLessThan(400 * MEGABYTE);
    expect((await call("GET", "/livez")).status).toBe(200);
  });
});

describe("an issuer of tokens has no keys where its response is", () => {
  it.each(RESPONSES)("%s", async (_what, behaviour) => {
    const url = `${address}/issuer`;
    const issuer = { url, certificateAuthority: authority, audiences: ["a"] };
    behave = behaviour;
    const verify = (keys: IssuerKeys) => keys.verify("", "RS256", "a");
    await expect(verify(new IssuerKeys(issuer, systemClock)), "from discovery").rejects.toThrow();
    const discover = reply(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
    behave = (socket, review) => {
      behave = behaviour;
      discover(socket, review);
    };
    await expect(verify(new IssuerKeys(issuer, systemClock)), "from its keys").rejects.toThrow();
  });
});
