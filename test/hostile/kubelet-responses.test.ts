import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createAuthority } from "../fixtures/certificates.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { RawConnection, targetOf } from "./raw-connection.ts";

const POD = "/api/v1/namespaces/default/pods/web";
const head = (status: string, ...lines: string[]) => `HTTP/1.1 ${status}\r\n${lines.join("\r\n")}\r\n\r\n`;
const KEY = "AAAAAAAAAAAAAAAAAAAAAA==";
const SWITCH = head("101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade");

/** Data that the kubelet sends in response to every request before it ends the connection. */
const RESPONSES: readonly [what: string, bytes: string | Buffer][] = [
  ["nothing", ""],
  ["bytes that are no HTTP", Buffer.alloc(5000, 0xff)],
  ["half of a head", "HTTP/1.1 200 OK\r\nContent-Le"],
  ["a head of a megabyte", head("200 OK", `X-Large: ${"a".repeat(1e6)}`)],
  ["a status that HTTP does not have", `${head("999 Odd", "Content-Length: 2")}{}`],
  ["a status of two digits", `${head("20 OK", "Content-Length: 2")}{}`],
  ["two lengths", `${head("200 OK", "Content-Length: 2", "Content-Length: 3")}abc`],
  ["a length and chunks", `${head("200 OK", "Content-Length: 2", "Transfer-Encoding: chunked")}0\r\n\r\n`],
  ["a chunk that is longer than it says", `${head("200 OK", "Transfer-Encoding: chunked")}1\r\nabcdef\r\n0\r\n\r\n`],
  ["less than its length", `${head("200 OK", "Content-Length: 1000")}abc`],
  ["a gzip bomb", Buffer.concat([Buffer.from(head("200 OK", "Content-Encoding: gzip")), gzipSync(Buffer.alloc(5e6))])],
  ["an error of five megabytes", head("500 Odd") + "[".repeat(5e6)],
  ["deep JSON as an error", head("403 Forbidden", "Content-Type: application/json") + '{"a":'.repeat(4_000)],
  ["a redirect", head("302 Found", "Location: https://127.0.0.1:1/%zz\u0001", "Content-Length: 0")],
  ["a hundred interim responses", head("100 Continue").repeat(100) + head("200 OK", "Content-Length: 0")],
  ["a switch of protocols", `${SWITCH}abc`],
  ["a switch of protocols without a name", `${head("101 Switching Protocols")}abc`],
  ["a switch with headers that no client may get", head("101 X", "Upgrade: a\u0000b", "Set-Cookie: a=b", "X: \u00ff")],
];

describe("a kubelet cannot stop the server", () => {
  let response: string | Buffer = "";
  const errors: string[] = [];
  const sockets = new Set<Socket>();
  const { authority, issue } = createAuthority();
  const directory = mkdtempSync(join(tmpdir(), "typeplane-kubelet-"));
  const file = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const credentials = issue("127.0.0.1", "server", { names: ["127.0.0.1"] });
  const kubelet = createServer(credentials, (socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("data", () => socket.end(response));
  });
  let plane: Plane;
  let call: ReturnType<typeof createClient>;

  beforeAll(async () => {
    await new Promise<void>((resolve) => kubelet.listen(0, "127.0.0.1", resolve));
    const log = (level: string, message: string) => void (level === "error" && errors.push(message));
    const client = issue("kube-apiserver-kubelet-client", "client");
    const flags = {
      controllers: "false",
      "disable-admission-plugins": "ServiceAccount",
      "kubelet-client-certificate": file("client.crt", client.cert),
      "kubelet-client-key": file("client.key", client.key),
      "kubelet-certificate-authority": file("ca.crt", authority),
      "kubelet-preferred-address-types": "InternalIP",
    };
    plane = await startPlane({ flags, log });
    call = createClient(plane);
    await plane.ready;
    const daemonEndpoints = { kubeletEndpoint: { Port: (kubelet.address() as AddressInfo).port } };
    const addresses = [{ type: "InternalIP", address: "127.0.0.1" }];
    await call("POST", "/api/v1/nodes", { body: { metadata: { name: "n" }, status: { addresses, daemonEndpoints } } });
    const spec = { nodeName: "n", containers: [{ name: "main", image: "i" }] };
    await call("POST", "/api/v1/namespaces/default/pods", { body: { metadata: { name: "web" }, spec } });
    await call("PATCH", `${POD}/status`, {
      type: "application/merge-patch+json",
      body: { status: { phase: "Running" } },
    });
  });
  afterAll(async () => {
    await plane.stop();
    for (const socket of sockets) socket.destroy();
    kubelet.close();
    rmSync(directory, { recursive: true });
    expect(errors).toEqual([]);
  });

  it.each(RESPONSES)("that answers with %s", async (_what, bytes) => {
    response = bytes;
    const before = sockets.size;
    const ask = async (path: string, lines: readonly string[]): Promise<RawConnection> => {
      const client = await RawConnection.tls(targetOf(plane.client.server));
      const all = ["Host: a", `Authorization: Bearer ${plane.client.token}`, ...lines];
      return client.write(`GET ${POD}/${path} HTTP/1.1\r\n${all.join("\r\n")}\r\n\r\n`);
    };
    const upgrade = [
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      `Sec-WebSocket-Key: ${KEY}`,
    ];
    const log = await ask("log", ["Connection: close"]);
    const clients = await Promise.all(
      ["exec?command=ls", "attach", "portforward?ports=80"].map((path) => ask(path, upgrade)),
    );
    expect(await log.isClosedWithin(30_000), "the log ends").toBe(true);
    for (const client of clients) {
      const received = await client.receive((bytes) => bytes.includes("\r\n\r\n"), 30_000);
      expect(received.includes("\r\n\r\n") || client.socket.destroyed, "the upgrade is answered").toBe(true);
      client.close();
    }
    expect(sockets.size - before, "requests of the kubelet").toBeGreaterThanOrEqual(4);
    expect((await call("GET", "/version")).status).toBe(200);
  });
});
