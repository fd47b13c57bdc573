import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { availability, register } from "../aggregation/extension-server.ts";
import { createAuthority } from "../fixtures/certificates.ts";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call, running } = servePlane();
const GROUP = "/apis/echo.example.com/v1";
const MEGABYTE = 1024 * 1024;
const FINE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}";

/** Handler of the extension server for a path. `asker` is the user of the request. */
type Behaviour = (socket: TLSSocket, path: string, asker: string) => void;
let behave: Behaviour = (socket) => void socket.write(FINE);
let server: Server;
let extension: { port: number; authority: string };
/** All data that reached the extension server, as text. */
let heard = "";
const sockets = new Set<TLSSocket>();

beforeAll(async () => {
  const { authority, issue } = createAuthority("extensions");
  server = createServer(issue("ext", "server", { names: ["ext.default.svc"] }), (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      heard += text;
      const [, path] = /^[A-Z]+ (\S+) HTTP/.exec(text) ?? [];
      if (path !== undefined) behave(socket, path, /x-remote-user: (\S+)/i.exec(text)?.[1] ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  extension = { port: (server.address() as AddressInfo).port, authority };
  await availability(call, await register(call, extension), "Passed");
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const isOwnQuestion = (asker: string) => asker.startsWith("system:");

const reply = (body: string | Buffer, headers = ""): Behaviour => {
  const bytes = Buffer.from(body);
  return (socket) =>
    void socket.write(
      Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\n${headers}\r\n`), bytes]),
    );
};

const forever =
  (head: string, piece: string): Behaviour =>
  (socket) => {
    socket.write(head, "latin1");
    const more = (): void => {
      if (socket.destroyed) return;
      if (socket.write(piece)) setImmediate(more);
      else socket.once("drain", more);
    };
    more();
  };

const DISCOVERY = "Content-Type: application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList\r\n";
const CHUNKED = `HTTP/1.1 200 OK\r\n${DISCOVERY}Transfer-Encoding: chunked\r\n\r\n`;

const documents: [string, Behaviour][] = [
  ["endless", forever(CHUNKED, `${MEGABYTE.toString(16)}\r\n${" ".repeat(MEGABYTE)}\r\n`)],
  ["preceded by endless headers", forever("HTTP/1.1 200 OK\r\n", `X-A: ${"a".repeat(1000)}\r\n`)],
  ["a compressed bomb", reply(gzipSync(Buffer.alloc(64 * MEGABYTE, " ")), `${DISCOVERY}Content-Encoding: gzip\r\n`)],
  ["nothing but opening brackets", reply("[".repeat(3 * MEGABYTE), DISCOVERY)],
  ["nested 100,000 deep", reply(`${'{"paths":'.repeat(100_000)}{}${"}".repeat(100_000)}`, DISCOVERY)],
  ["null", reply("null", DISCOVERY)],
  ["a list", reply('[{"items":[]}]', DISCOVERY)],
  [
    "of wrong types",
    reply('{"items":[{"metadata":5,"versions":{"a":1}}],"paths":{"/apis":3},"definitions":[]}', DISCOVERY),
  ],
  [
    "full of names that every object has",
    reply(
      '{"items":[{"metadata":{"name":"__proto__"},"versions":[{"version":"constructor","resources":[{"resource":"toString"}]}]}],"paths":{"__proto__":{"polluted":1}},"definitions":{"__proto__":{"polluted":1}}}',
      DISCOVERY,
    ),
  ],
  [
    "a redirect",
    (socket) => void socket.write("HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"),
  ],
];

describe("an extension server whose documents are", () => {
  it.each(documents)("%s changes nothing for other groups", async (_what, behaviour) => {
    const memory = process.memoryUsage().rss;
    const asked = new Set<string>();
    behave = (socket, path, asker) => {
      if (!isOwnQuestion(asker)) return void socket.write(FINE);
      asked.add(path);
      behaviour(socket, path, asker);
    };
    const group = `documents-${documents.findIndex(([, one]) => one === behaviour)}.example.com`;
    const name = await register(call, { ...extension, group });
    for (const path of ["/apis", "/openapi/v2", "/openapi/v3", "/api/v1/namespaces"])
      expect((await call("GET", path)).status, path).toBe(200);
    await expect.poll(() => asked.has("/apis") && asked.has("/openapi/v3"), { timeout: 120_000 }).toBe(true);
    expect((await call("GET", "/apis")).text).toContain('"name":"apps"');
    expect((await call("GET", "/apis/apps/v1")).status).toBe(200);
    expect((await call("GET", "/readyz")).status).toBe(200);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(process.memoryUsage().rss - memory).toBeLessThan(500 * MEGABYTE);
    await call("DELETE", `/apis/apiregistration.k8s.io/v1/apiservices/${name}`);
  });
});

/** Sends bytes to the plane as the administrator and reads until the connection ends or falls silent. */
async function converse(first: string, then: string): Promise<string> {
  const { server: url, certificateAuthority: ca, token } = running().client;
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ca, ALPNProtocols: ["http/1.1"] });
  let text = "";
  let isSecondSent = false;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, 20_000);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      clearTimeout(timer);
      resolve();
    });
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      if (isSecondSent) return;
      isSecondSent = true;
      if (socket.writable) socket.write(then);
    });
    socket.write(first.replace("TOKEN", token));
  });
  socket.destroy();
  return text;
}

describe("a request to switch protocols that an extension server refuses", () => {
  const upgrade = `GET ${GROUP}/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n`;
  const smuggled = `GET ${GROUP}/smuggled HTTP/1.1\r\nHost: x\r\nX-Remote-User: system:admin\r\nX-Remote-Group: system:masters\r\n\r\n`;

  it.each([
    ["with an error and a connection that stays open", "HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno"],
    ["with an error without end", "HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n"],
    ["with success", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"],
    ["with a redirect", "HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"],
    ["with what is no HTTP", "hello\r\n\r\n"],
  ])("%s leaves the client no connection to that server (CVE-2018-1002105)", async (_what, answer) => {
    heard = "";
    behave = (socket, _path, asker) => void socket.write(isOwnQuestion(asker) ? FINE : answer, "latin1");
    const said = await converse(upgrade, smuggled);
    expect(said).toMatch(/^HTTP\/1\.1 (?:400|403|503) /);
    expect(said).not.toContain("Location");
    expect(said.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(heard).toContain(`${GROUP}/things`);
    expect(heard).not.toContain("smuggled");
  });

  it("sent along with more bytes gives them to nobody before the server has agreed", async () => {
    heard = "";
    behave = (socket, _path, asker) =>
      void socket.write(isOwnQuestion(asker) ? FINE : "HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno");
    await converse(`${upgrade}${smuggled}`, "");
    expect(heard).not.toContain("smuggled");
  });
});
