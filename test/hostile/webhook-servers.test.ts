import type { AddressInfo } from "node:net";
import { createServer, type Server, type TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuthority } from "../fixtures/certificates.ts";
import { servePlane } from "../fixtures/serve-plane.ts";
import { longestTurn } from "./longest-turn.ts";

const { call } = servePlane();
const MAPS = "/api/v1/namespaces/default/configmaps";
const CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1";
const TIMEOUT_SECONDS = 2;
const MEGABYTE = 1024 * 1024;

/** Handler of a webhook for a request that it has read. `uid` is that of the review. */
type Behaviour = (socket: TLSSocket, uid: string) => void;

let server: Server;
let port: number;
let authorityPem: string;
let behave: Behaviour = (socket) => socket.destroy();
let requests = 0;
const sockets = new Set<TLSSocket>();

beforeAll(async () => {
  const { authority, issue } = createAuthority("webhooks");
  authorityPem = authority;
  server = createServer(issue("hook", "server", { names: ["localhost"] }), (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString();
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
      if (text.length - (text.indexOf("\r\n\r\n") + 4) < length || Number.isNaN(length)) return;
      requests += 1;
      const [, uid = ""] = /"uid":"([0-9a-f-]{36})"/.exec(text) ?? [];
      text = "";
      behave(socket, uid);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
  await configure("Validating", "validate", "Fail");
  await configure("Mutating", "mutate", "Fail");
  await configure("Validating", "ignore", "Ignore");
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** A webhook for ConfigMaps whose label `hook` contains its name. */
async function configure(kind: "Validating" | "Mutating", name: string, failurePolicy: string): Promise<void> {
  const { status, text } = await call("POST", `${CONFIGURATIONS}/${kind.toLowerCase()}webhookconfigurations`, {
    body: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: `${kind}WebhookConfiguration`,
      metadata: { name },
      webhooks: [
        {
          name: `${name}.example.com`,
          clientConfig: { url: `https://localhost:${port}/`, caBundle: Buffer.from(authorityPem).toString("base64") },
          rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
          objectSelector: { matchLabels: { hook: name } },
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          timeoutSeconds: TIMEOUT_SECONDS,
          failurePolicy,
        },
      ],
    },
  });
  expect(status, text).toBe(201);
  behave = (socket) => socket.destroy();
  for (const before = requests; requests === before; ) await create(name);
}

/** Creates a ConfigMap as dry run. */
function create(hook: string) {
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "any", labels: { hook } } };
  return call("POST", `${MAPS}?dryRun=All`, { body });
}

const reply = (body: string | Buffer, headers = "", status = "200 OK"): Behaviour => {
  const bytes = Buffer.from(body);
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\n${headers}\r\n`;
  return (socket) => void socket.write(Buffer.concat([Buffer.from(head, "latin1"), bytes]));
};

/** Returns a valid review with this response, which may contain anything. */
const respond =
  (response: object): Behaviour =>
  (socket, uid) =>
    reply(
      JSON.stringify({
        kind: "AdmissionReview",
        apiVersion: "admission.k8s.io/v1",
        response: { uid, allowed: true, ...response },
      }),
    )(socket, uid);

/** Sends the same data repeatedly until the other side closes the connection. */
const forever =
  (head: string, piece: string | Buffer, pauseMs = 0): Behaviour =>
  (socket) => {
    socket.write(head, "latin1");
    const more = (): void => {
      if (socket.destroyed) return;
      if (pauseMs > 0) {
        socket.write(piece);
        setTimeout(more, pauseMs);
      } else if (socket.write(piece)) setImmediate(more);
      else socket.once("drain", more);
    };
    more();
  };

const CHUNKED = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${" ".repeat(bytes)}\r\n`;

const hostile: [string, Behaviour][] = [
  ["an endless body", forever(CHUNKED, chunk(MEGABYTE))],
  ["a body of one byte now and then", forever(CHUNKED, chunk(1), 100)],
  ["endless headers", forever("HTTP/1.1 200 OK\r\n", `X-A: ${"a".repeat(1000)}\r\n`)],
  ["a header that comes letter by letter", forever("HTTP/1.1 200 OK\r\nX-A: ", "a", 50)],
  ["endless interim responses", forever("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", 5)],
  ["no answer at all", () => undefined],
  ["half an answer", (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")],
  [
    "an announced length of a gigabyte",
    (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n{"),
  ],
  [
    "another protocol",
    (socket) => void socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
  ],
  ["something that is not HTTP", (socket) => void socket.end("hello\r\n\r\n")],
  ["a status of 99", (socket) => void socket.end("HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n")],
  ["a compressed bomb", reply(gzipSync(Buffer.alloc(64 * MEGABYTE, " ")), "Content-Encoding: gzip\r\n")],
  ["an empty body", reply("")],
  ["HTML", reply("<html></html>")],
  ["broken UTF-8", reply(Buffer.from([0x22, 0xff, 0xfe, 0x22]))],
  ["a list", reply("[]")],
  ["null", reply("null")],
  ["nothing but opening brackets", reply("[".repeat(4 * MEGABYTE))],
  ["an object nested 200,000 deep", reply(`${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`)],
  ["an integer of a million digits", reply(`{"kind":"AdmissionReview","response":${"9".repeat(1_000_000)}}`)],
  ["a redirect", reply("", "Location: https://localhost:1/other\r\n", "302 Found")],
  ["the uid of another review", respond({ uid: "00000000-0000-0000-0000-000000000000" })],
  [
    "an inherited property as its response",
    reply('{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","__proto__":{"response":{"allowed":true}}}'),
  ],
  ["allowed as a string", respond({ allowed: "true" })],
  ["a patch that is a number", respond({ patch: 5, patchType: "JSONPatch" })],
  ["a patch that is an object", respond({ patch: {}, patchType: "JSONPatch" })],
  ["a patch type that is a list", respond({ patch: "W10=", patchType: ["JSONPatch"] })],
  ["warnings that are a number", respond({ warnings: 5 })],
  ["warnings that are objects", respond({ warnings: [{ a: 1 }] })],
  ["warnings that are a string", respond({ warnings: "abc" })],
  ["audit annotations that are a string", respond({ auditAnnotations: "abc" })],
  ["audit annotations that are objects", respond({ auditAnnotations: { a: {} } })],
  ["a status that is a string", respond({ allowed: false, status: "no" })],
  ["a status code that is a string", respond({ allowed: false, status: { code: "x" } })],
  ["status details that are a list", respond({ allowed: false, status: { details: [] } })],
  ["a message that is an object", respond({ allowed: false, status: { message: {} } })],
  ["a response that is a list", reply('{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":[]}')],
];

describe("a webhook whose answer is", () => {
  it.each(hostile)(
    "%s fails the request in bounded time and memory, or is ignored where it may be",
    async (_what, behaviour) => {
      behave = behaviour;
      const memory = process.memoryUsage().rss;
      const [refused, mutated, ignored] = await Promise.all(
        ["validate", "mutate", "ignore"].map((hook) => create(hook)),
      );
      expect([refused?.status, refused?.body.message]).toEqual([
        500,
        expect.stringMatching(/^Internal error occurred: failed calling webhook "validate\.example\.com": /),
      ]);
      expect([mutated?.status, mutated?.body.message]).toEqual([
        500,
        expect.stringMatching(/^Internal error occurred: failed calling webhook "mutate\.example\.com": /),
      ]);
      expect([ignored?.status, ignored?.text]).toEqual([201, expect.any(String)]);
      expect(refused?.text.length).toBeLessThan(10_000);
      expect(process.memoryUsage().rss - memory).toBeLessThan(400 * MEGABYTE);
      expect((await call("GET", "/livez")).status).toBe(200);
    },
  );
});

describe("the response of a webhook", () => {
  it("is not passed to clients if it is not text, whatever the status", async () => {
    behave = (socket, uid) => reply('{"password":"hunter2"}', "", "418 Teapot")(socket, uid);
    expect((await create("validate")).text).not.toContain("hunter2");
    behave = (socket, uid) =>
      reply('{"password":"hunter2"}', "Location: /x\r\n", "307 Temporary Redirect")(socket, uid);
    expect((await create("validate")).text).not.toContain("hunter2");
  });

  it("may leave everything empty with null, as in Go", async () => {
    behave = respond({ status: null, warnings: [null], auditAnnotations: { a: null }, patch: null, patchType: null });
    expect((await create("validate")).status).toBe(201);
    behave = respond({ allowed: false, status: null });
    expect((await create("validate")).status).toBe(400);
  });

  it("has a status that HTTP can carry", async () => {
    for (const [code, status] of [
      [-1, 400],
      [200, 400],
      [2_000_000_000, 999],
    ]) {
      behave = respond({ allowed: false, status: { code } });
      expect((await create("validate")).status).toBe(status);
    }
  });

  it("is read once: a redirect leads to no second request", async () => {
    behave = reply("", `Location: https://localhost:${port}/again\r\n`, "308 Permanent Redirect");
    const before = requests;
    expect((await create("validate")).status).toBe(500);
    expect(requests - before).toBe(1);
  });

  it("adds at most 4,096 characters and a bit of warnings to a response, without line breaks", async () => {
    const warnings = ["a\r\nSet-Cookie: b=c", ...Array.from({ length: 2000 }, (_, index) => `${index} `.repeat(300))];
    behave = respond({ warnings });
    const { status, headers } = await create("validate");
    expect([status, headers["set-cookie"]]).toEqual([201, undefined]);
    expect(String(headers.warning).length).toBeLessThan(6000);
  });

  it("cannot set inherited names such as constructor", async () => {
    behave = respond({ auditAnnotations: JSON.parse('{"__proto__":"a","constructor":"b"}') });
    expect((await create("validate")).status).toBe(201);
    const patch = Buffer.from('[{"op":"add","path":"/__proto__","value":{"polluted":"yes"}}]').toString("base64");
    behave = respond({ patch, patchType: "JSONPatch" });
    await create("mutate");
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });
});

describe("a large response of a webhook is handled in several turns of the event loop", () => {
  const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
  const annotations = () => Object.fromEntries(many(150_000, (index) => [`a${index}`, "b"]));

  it.each<[string, () => object, number]>([
    ["with many audit annotations", () => ({ auditAnnotations: annotations() }), 201],
    ["with many fields that nobody knows", annotations, 201],
    ["with many numbers of many digits", () => ({ other: many(200_000, () => 1.5e-300) }), 201],
  ])("%s", async (_what, response, status) => {
    // The response is made before the measurement: the webhook is in this process, too.
    const parts: number[] = [];
    const json = JSON.stringify(response()).slice(1);
    for (const _attempt of [1, 2]) {
      behave = (socket, uid) => {
        const head = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"${uid}","allowed":true,`;
        reply(`${head}${json}}`)(socket, uid);
      };
      const { longest, total } = await longestTurn(async () => {
        expect((await create("validate")).status).toBe(status);
      });
      parts.push(longest / total);
    }
    expect(Math.min(...parts)).toBeLessThan(0.4);
  });

  it("and its causes are limited", async () => {
    behave = respond({
      allowed: false,
      status: { code: 403, details: { causes: many(100_000, () => ({ field: "a" })) } },
    });
    const { status, body } = await create("validate");
    expect([status, body.details.causes.length]).toEqual([403, 10_000]);
  });
});

describe("a webhook's certificate", () => {
  it("must be signed by the configured authority and name the host", async () => {
    behave = respond({});
    const before = requests;
    const configuration = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "untrusted" },
      webhooks: ["wrong-authority", "wrong-name"].map((name) => ({
        name: `${name}.example.com`,
        clientConfig: {
          url: `https://${name === "wrong-name" ? "127.0.0.1" : "localhost"}:${port}/`,
          caBundle: Buffer.from(name === "wrong-name" ? authorityPem : createAuthority("other").authority).toString(
            "base64",
          ),
        },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
        objectSelector: { matchLabels: { hook: name } },
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        timeoutSeconds: TIMEOUT_SECONDS,
      })),
    };
    expect(
      (await call("POST", `${CONFIGURATIONS}/validatingwebhookconfigurations`, { body: configuration })).status,
    ).toBe(201);
    for (const name of ["wrong-authority", "wrong-name"]) {
      await expect.poll(async () => (await create(name)).status, { timeout: 120_000 }).toBe(500);
      expect((await create(name)).body.message).toContain("tls: failed to verify certificate: x509:");
    }
    expect(requests).toBe(before);
  });
});
