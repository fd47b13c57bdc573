import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { startWebhookServer } from "../admission/webhook-server.ts";
import { createAuthority } from "../fixtures/certificates.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { RawConnection, targetOf } from "./raw-connection.ts";

/*
 * Attacks on kube-apiserver that were published, where no other file of this folder is about them. docs/cves.md lists all of them.
 */

const MARKER = "published-cves-secret-marker";
const lines: string[] = [];
let plane: Plane;
let call: ReturnType<typeof createClient>;

beforeAll(async () => {
  plane = await startPlane({ log: (...line) => lines.push(JSON.stringify(line)) });
  call = createClient(plane);
  await plane.ready;
  for (const plural of ["open", "closed"]) await define(plural, "Namespaced");
  await define("wide", "Cluster");
});
afterAll(() => plane.stop());

const GROUP = "/apis/cves.example.com/v1";

async function define(plural: string, scope: string): Promise<void> {
  const kind = `${plural[0]?.toUpperCase()}${plural.slice(1)}`;
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    body: {
      metadata: { name: `${plural}.cves.example.com` },
      spec: {
        group: "cves.example.com",
        scope,
        names: { plural, kind },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    },
  });
  const created = async () => {
    const { status } = await call("POST", objectsOf(plural, scope), {
      body: {
        apiVersion: "cves.example.com/v1",
        kind,
        metadata: { name: "one" },
        data: plural === "open" ? "" : MARKER,
      },
    });
    return status === 201 || status === 409;
  };
  while (!(await created()));
}

const objectsOf = (plural: string, scope: string) =>
  scope === "Cluster" ? `${GROUP}/${plural}` : `${GROUP}/namespaces/default/${plural}`;

/** A service account of the default namespace with a role there, and what it is answered. */
async function tenant(name: string, rules: object[]) {
  const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
  await call("POST", "/api/v1/namespaces/default/serviceaccounts", { body: { metadata: { name } } });
  await call("POST", `${rbac}/roles`, { body: { metadata: { name }, rules } });
  await call("POST", `${rbac}/rolebindings`, {
    body: {
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
      subjects: [{ kind: "ServiceAccount", name, namespace: "default" }],
    },
  });
  const { body } = await call("POST", `/api/v1/namespaces/default/serviceaccounts/${name}/token`, {
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
  });
  const headers = { Authorization: `Bearer ${body.status.token}` };
  const ask = (method: string, path: string, more: object = {}) =>
    call(method, path, { headers, anonymous: true, ...more });
  return Object.assign(ask, { headers });
}

/** The response to a request line that is sent as it stands: Node's own client tidies paths, and knows only some methods. */
async function raw(line: string, authorization: string): Promise<string> {
  const connection = await RawConnection.tls(targetOf(plane.client.server));
  connection.write(`${line}\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`);
  await connection.closed;
  return connection.text;
}

describe("objects of other kinds", () => {
  it("cannot be reached by names with dots and slashes (CVE-2022-3162, CVE-2015-5305)", async () => {
    const rules = [{ apiGroups: ["cves.example.com"], resources: ["open"], verbs: ["*"] }];
    const ask = await tenant("dots", rules);
    await expect.poll(async () => (await ask("GET", `${GROUP}/namespaces/default/open`)).status).toBe(200);
    for (const path of [
      "namespaces/default/open/..%2fclosed%2fone",
      "namespaces/default/open/%2e%2e%2fclosed",
      "namespaces/default/open/..",
      "namespaces/default/open/.",
      "namespaces/default/../default/closed",
      "namespaces/default%2f..%2f../closed",
      "namespaces/..%2fclosed/open",
      "namespaces/%2e%2e/closed",
      "namespaces/default/open/../closed/one",
    ]) {
      const text = await raw(`GET ${GROUP}/${path} HTTP/1.1`, ask.headers.Authorization);
      expect(text, path).toMatch(/^HTTP\/1\.1 (?:301|400|403|404) /);
      expect(text, path).not.toContain(MARKER);
    }
    for (const name of ["..", ".", "a/b", "a%b", "../closed/one"]) {
      const body = { apiVersion: "cves.example.com/v1", kind: "Open", metadata: { name } };
      expect((await ask("POST", `${GROUP}/namespaces/default/open`, { body })).status, name).toBe(422);
    }
  });

  it("that are cluster-scoped cannot be reached below a namespace (CVE-2019-11247)", async () => {
    const ask = await tenant("wide", [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }]);
    await expect.poll(async () => (await ask("GET", `${GROUP}/namespaces/default/open`)).status).toBe(200);
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      const type = "application/merge-patch+json";
      const { status, text } = await ask(method, `${GROUP}/namespaces/default/wide/one`, { body: {}, type });
      expect([403, 404, 405], method).toContain(status);
      expect(text).not.toContain(MARKER);
    }
    expect((await ask("GET", `${GROUP}/namespaces/default/wide`)).text).not.toContain(MARKER);
    expect((await call("GET", `${GROUP}/wide/one`)).status).toBe(200);
  });
});

describe("bodies", () => {
  const laughs = (depth: number) => {
    const levels = Array.from({ length: depth }, (_, level) =>
      level === 0
        ? "a0: &a0 [x,x,x,x,x,x,x,x,x]"
        : `a${level}: &a${level} [${Array(9)
            .fill(`*a${level - 1}`)
            .join(",")}]`,
    );
    return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: laughs }\ndata:\n${levels.map((line) => `  ${line}\n`).join("")}`;
  };

  it("in YAML that refer to themselves a billion times are refused (CVE-2019-11253)", async () => {
    const started = process.cpuUsage();
    const { status } = await call("POST", "/api/v1/namespaces/default/configmaps", {
      type: "application/yaml",
      body: laughs(9),
    });
    expect(status).toBe(400);
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(10);
  });

  it.each([
    ["open brackets", "[".repeat(100_000)],
    ["open braces", "{".repeat(100_000)],
    ["dashes", "- ".repeat(50_000)],
    ["questions", "? ".repeat(50_000)],
    ["flow keys", `{${"a: {".repeat(20_000)}`],
  ])("in YAML of many %s are refused in bounded time (CVE-2019-11254, CVE-2022-3064)", async (_what, body) => {
    const started = process.cpuUsage();
    const { status } = await call("POST", "/api/v1/namespaces/default/configmaps", { type: "application/yaml", body });
    expect(status).toBe(400);
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(10);
  });

  it("with more than 10,000 operations of a JSON patch are refused (CVE-2019-1002100)", async () => {
    const path = "/api/v1/namespaces/default/configmaps/patched";
    await call("POST", "/api/v1/namespaces/default/configmaps", {
      body: { metadata: { name: "patched" }, data: { a: "b" } },
    });
    const operations = (count: number) => Array(count).fill({ op: "test", path: "/data/a", value: "b" });
    const type = "application/json-patch+json";
    const refused = await call("PATCH", path, { type, body: operations(10_001) });
    expect([refused.status, refused.body.reason]).toEqual([413, "RequestEntityTooLarge"]);
    // Copies that double the object with each operation.
    const doubling = Array.from({ length: 60 }, (_, index) => ({ op: "copy", from: "/data", path: `/data/x${index}` }));
    const grown = await call("PATCH", path, { type, body: doubling });
    expect(grown.status).toBeGreaterThanOrEqual(400);
    expect((await call("GET", path)).body.data).toEqual({ a: "b" });
  });

  it.each([
    ["a length beyond the end", Buffer.from([0x6b, 0x38, 0x73, 0x00, 0x0a, 0xff, 0xff, 0xff, 0xff, 0x07])],
    [
      "a negative length",
      Buffer.from([0x6b, 0x38, 0x73, 0x00, 0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
    ],
    ["a number without end", Buffer.concat([Buffer.from([0x6b, 0x38, 0x73, 0x00]), Buffer.alloc(1000, 0xff)])],
    ["groups without end", Buffer.concat([Buffer.from([0x6b, 0x38, 0x73, 0x00]), Buffer.alloc(100_000, 0x0b)])],
  ])("in protobuf with %s are refused (CVE-2021-3121)", async (_what, body) => {
    const { status } = await call("POST", "/api/v1/namespaces/default/configmaps", {
      type: "application/vnd.kubernetes.protobuf",
      body,
    });
    expect(status).toBe(400);
  });
});

describe("the log", () => {
  it("holds no credentials and no bodies of requests, however they fail (CVE-2019-11250, CVE-2020-8563, CVE-2020-8565)", async () => {
    const secrets = "/api/v1/namespaces/default/secrets";
    const data = { password: Buffer.from(MARKER).toString("base64") };
    const secret = (more: object) => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "logged" },
      data,
      ...more,
    });
    const statuses = [
      await call("GET", "/api", { headers: { Authorization: `Bearer ${MARKER}` } }),
      await call("GET", "/api", { headers: { Authorization: `Basic ${MARKER}` } }),
      await call("POST", secrets, { body: secret({}) }),
      await call("POST", secrets, { body: secret({ data: { password: `!${MARKER}` } }) }),
      await call("POST", secrets, { body: secret({ type: { [MARKER]: 1 } }) }),
      await call("POST", secrets, { body: `{"kind":"Secret","data":"${MARKER}` }),
      await call("POST", `${secrets}?fieldValidation=Strict`, { body: secret({ [MARKER]: MARKER }) }),
      await call("POST", secrets, { body: MARKER, type: "application/yaml" }),
      await call("POST", secrets, { body: `k8s\0${MARKER}`, type: "application/vnd.kubernetes.protobuf" }),
      await call("PATCH", `${secrets}/logged`, { body: `[{"op":"${MARKER}"}]`, type: "application/json-patch+json" }),
    ].map(({ status }) => status);
    expect(statuses).not.toContain(500);
    const { token } = plane.client;
    const text = lines.join("\n");
    for (const hidden of [MARKER, data.password, token]) expect(text).not.toContain(hidden);
  });
});

describe("metrics", () => {
  it("do not grow with names that clients invent (CVE-2020-8552, CVE-2022-21698, CVE-2023-45142)", async () => {
    const series = async (): Promise<string[]> =>
      (await call("GET", "/metrics")).text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    const round = async (from: number) => {
      for (let index = from; index < from + 60; index += 1) {
        await call("GET", `/apis/made-up-${index}.example.com/v${index}/things-${index}`);
        await call("GET", `/api/v1/namespaces/made-up-${index}/pods/x/made-up-${index}`);
        await call("GET", `/made/up/${index}`, {
          headers: { "User-Agent": `made-up/${index}`, Accept: `made/up${index}` },
        });
        await call("POST", `/api/v1/made-up-${index}?dryRun=${index}`, { body: {}, type: `made/up-${index}` });
        await raw(`MADEUP${index} /api/v1/pods HTTP/1.1`, `Bearer ${plane.client.token}`);
      }
    };
    await round(0);
    await series();
    const before = await series();
    await round(1000);
    expect((await series()).filter((line) => line.includes("made-up") || /MADEUP/i.test(line))).toEqual([]);
    const names = new Set(before.map((line) => line.slice(0, line.lastIndexOf(" "))));
    const added = (await series()).filter((line) => !names.has(line.slice(0, line.lastIndexOf(" "))));
    // Controllers may have made a request for the first time; 300 requests of the client must not show.
    expect(added.length, added.slice(0, 5).join("\n")).toBeLessThan(60);
  });
});

describe("headers", () => {
  it.each([
    ["a space before the colon", "X-Remote-User : admin\r\n"],
    ["a name that is folded over lines", "X-A: b\r\n X-Remote-User: admin\r\n"],
    ["a name with a null", "X-Remote\0-User: admin\r\n"],
    ["two lengths", "Content-Length: 0\r\nContent-Length: 5\r\n"],
    ["a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"],
  ])("with %s are refused or read one way (CVE-2019-16276)", async (_what, header) => {
    const connection = await RawConnection.tls(targetOf(plane.client.server));
    connection.write(
      `GET /version HTTP/1.1\r\nHost: x\r\n${header}Connection: close\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    await connection.closed;
    expect(connection.text).toMatch(/^HTTP\/1\.1 400 /);
    expect(connection.text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it("are limited in number and size (CVE-2021-31525, CVE-2023-24534)", async () => {
    for (const header of [`X-Long: ${"x".repeat(4_000_000)}\r\n`, "X-Many: x\r\n".repeat(400_000)]) {
      const connection = await RawConnection.tls(targetOf(plane.client.server));
      connection.write(`GET /version HTTP/1.1\r\nHost: x\r\n${header}Connection: close\r\n\r\n`);
      await connection.closed;
      // A client that is still writing may see the connection reset before it sees the response.
      expect(connection.text.slice(0, 13)).toMatch(/^(?:HTTP\/1\.1 431 ?)?$/);
    }
  });

  it.each([
    ["dots", `${".".repeat(7000)}`],
    ["segments", "a.".repeat(3500)],
    [
      "an algorithm of none",
      `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from('{"sub":"admin"}').toString("base64url")}.`,
    ],
    ["five parts, as if encrypted", "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIiwiemlwIjoiREVGIn0.a.b.c.d"],
  ])(
    "with a token of %s authenticate nobody (CVE-2025-27144, CVE-2025-30204, CVE-2024-28180)",
    async (_what, token) => {
      const started = process.cpuUsage();
      const { status } = await call("GET", "/api/v1/pods", { headers: { Authorization: `Bearer ${token}` } });
      expect(status).toBe(401);
      expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
    },
  );
});

describe("admission", () => {
  it("sees the stored node beside the new one, and sees patches (CVE-2021-25735, CVE-2016-1905)", async () => {
    const hooks = await startWebhookServer();
    try {
      hooks.replies["/nodes"] = ({ request }) => ({
        allowed:
          request.oldObject?.metadata?.labels?.locked === undefined ||
          request.object.metadata.labels?.locked !== undefined,
      });
      await call("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
        body: {
          metadata: { name: "nodes" },
          webhooks: [
            {
              name: "nodes.example.com",
              clientConfig: { url: `${hooks.url}/nodes`, caBundle: hooks.caBundle },
              rules: [
                { apiGroups: [""], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["nodes", "nodes/status"] },
              ],
              sideEffects: "None",
              admissionReviewVersions: ["v1"],
            },
          ],
        },
      });
      const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n1", labels: { locked: "yes" } } };
      expect((await call("POST", "/api/v1/nodes", { body: node })).status).toBe(201);
      const unlock = { metadata: { labels: { locked: null } } };
      const patch = () =>
        call("PATCH", "/api/v1/nodes/n1?dryRun=All", { body: unlock, type: "application/merge-patch+json" });
      await expect.poll(async () => (await patch()).status).toBe(400);
      const bare = { ...node, metadata: { name: "n1" } };
      expect((await call("PUT", "/api/v1/nodes/n1", { body: bare })).status).toBe(400);
      const apply = "application/apply-patch+yaml";
      await call("PATCH", "/api/v1/nodes/n1?fieldManager=a&force=true", { body: node, type: apply });
      expect(
        (await call("PATCH", "/api/v1/nodes/n1/status", { body: unlock, type: "application/merge-patch+json" })).body
          .metadata?.labels?.locked ?? "refused",
      ).toMatch(/yes|refused/);
      expect((await call("GET", "/api/v1/nodes/n1")).body.metadata.labels.locked).toBe("yes");
    } finally {
      await call("DELETE", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/nodes");
      await hooks.close();
    }
  });
});

describe("a service account that may use some secrets only", () => {
  it("gets no others through ephemeral containers or envFrom (CVE-2023-2728, CVE-2024-3177)", async () => {
    await call("POST", "/api/v1/namespaces/default/serviceaccounts", {
      body: {
        metadata: { name: "strict", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
        secrets: [{ name: "mine" }],
      },
    });
    const container = (secret: string, name = "main") => ({
      name,
      image: "i",
      envFrom: [{ secretRef: { name: secret } }],
    });
    const pod = (name: string, more: object) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name },
      spec: { serviceAccountName: "strict", ...more },
    });
    const pods = "/api/v1/namespaces/default/pods";
    const refusal = 'referencing secret.secretName="other" is not allowed';
    const create = (name: string, more: object) => call("POST", pods, { body: pod(name, more) });
    expect((await create("strict", { containers: [container("mine")] })).status).toBe(201);
    expect((await create("env", { containers: [container("other")] })).body.message).toContain(refusal);
    const init = { containers: [container("mine")], initContainers: [container("other", "first")] };
    expect((await create("init", init)).body.message).toContain(refusal);
    const patched = await call("PATCH", `${pods}/strict/ephemeralcontainers`, {
      type: "application/strategic-merge-patch+json",
      body: { spec: { ephemeralContainers: [container("other", "debug")] } },
    });
    expect([patched.status, patched.body.message]).toEqual([403, expect.stringContaining(refusal)]);
  });
});

describe("a certificate for servers", () => {
  it("does not authenticate a client, whatever name it has (CVE-2016-7075)", async () => {
    const { authority, issue } = createAuthority("clients");
    const directory = mkdtempSync(join(tmpdir(), "typeplane-cves-"));
    writeFileSync(join(directory, "ca.crt"), authority);
    const other = await startPlane({
      flags: { controllers: "false", "client-ca-file": join(directory, "ca.crt"), "anonymous-auth": "false" },
    });
    try {
      const ask = (use: "server" | "client") =>
        new Promise<number>((resolve, reject) => {
          const { server, certificateAuthority: ca } = other.client;
          const certificate = issue("admin", use, { organizations: ["system:masters"] });
          request(`${server}/api`, { ca, agent: false, ...certificate }, (incoming) => {
            incoming.resume();
            resolve(incoming.statusCode ?? 0);
          })
            .on("error", reject)
            .end();
        });
      expect(await ask("client")).toBe(200);
      expect(await ask("server").catch(() => 401)).toBe(401);
    } finally {
      await other.stop();
      rmSync(directory, { recursive: true });
    }
  });
});

describe("endpoints", () => {
  it.each(["127.0.0.1", "::1", "169.254.169.254", "fe80::1", "224.0.0.1", "0.0.0.0"])(
    "of %s are refused in Endpoints and EndpointSlices (CVE-2021-25737)",
    async (ip) => {
      const slice = {
        metadata: { name: "local" },
        addressType: ip.includes(":") ? "IPv6" : "IPv4",
        endpoints: [{ addresses: [ip] }],
      };
      const slices = await call("POST", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", { body: slice });
      expect([slices.status, slices.body.reason]).toEqual([422, "Invalid"]);
      const endpoints = { metadata: { name: "local" }, subsets: [{ addresses: [{ ip }] }] };
      expect((await call("POST", "/api/v1/namespaces/default/endpoints", { body: endpoints })).status).toBe(422);
    },
  );

  it("cannot be written with the roles edit and admin (CVE-2021-25740)", async () => {
    for (const name of ["edit", "admin", "system:aggregate-to-edit", "system:aggregate-to-admin"]) {
      const { body } = await call("GET", `/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`);
      const writes = (body.rules ?? []).filter(
        ({ resources = [], verbs }: { resources?: string[]; verbs: string[] }) =>
          resources.some((resource) => /^(?:endpoints|endpointslices|\*)/.test(resource)) &&
          verbs.some((verb) => ["create", "update", "patch", "*"].includes(verb)),
      );
      expect(writes, name).toEqual([]);
    }
  });
});

describe("connections to nodes, pods and services", () => {
  it("are never opened, whatever addresses they have (CVE-2020-8562, CVE-2022-3294, CVE-2018-1002102)", async () => {
    await call("POST", "/api/v1/nodes", { body: { metadata: { name: "proxied" } } });
    await call("PATCH", "/api/v1/nodes/proxied/status", {
      type: "application/merge-patch+json",
      body: { status: { addresses: [{ type: "InternalIP", address: "127.0.0.1" }] } },
    });
    for (const name of ["proxied", "proxied:1", "https:proxied:10250", "127.0.0.1", "proxied@127.0.0.1"])
      for (const rest of ["", "/", "/pods", "/%2e%2e/%2e%2e/metrics"])
        expect((await call("GET", `/api/v1/nodes/${name}/proxy${rest}`)).status, name + rest).toBeGreaterThanOrEqual(
          300,
        );
  });
});
