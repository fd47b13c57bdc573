import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createAuthority } from "../fixtures/certificates.ts";
import { crowdedServer } from "./crowded-server.ts";
import { RawConnection } from "./raw-connection.ts";

/* Logs and connections to pods: what a kubelet sends and the client does not read, and the other way round. */

const MEGABYTE = 1024 * 1024;
const LIMIT = 8 * MEGABYTE;
const POD = "/api/v1/namespaces/default/pods/web";
const SWITCH = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const UPGRADE =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";

const { authority, issue } = createAuthority("unread");
const directory = mkdtempSync(join(tmpdir(), "typeplane-unread-"));
const place = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
};
const client = issue("kube-apiserver-kubelet-client", "client");
const server = crowdedServer(
  `--kubelet-certificate-authority=${place("ca.crt", authority)}`,
  `--kubelet-client-certificate=${place("client.crt", client.cert)}`,
  `--kubelet-client-key=${place("client.key", client.key)}`,
  "--kubelet-preferred-address-types=InternalIP",
  "--disable-admission-plugins=ServiceAccount",
  `--max-response-bytes-per-user=${LIMIT}`,
);
let behave: (socket: Socket) => void = (socket) => socket.destroy();
const sockets = new Set<Socket>();
const clients: RawConnection[] = [];
const kubelet = createServer(issue("127.0.0.1", "server", { names: ["127.0.0.1"] }), (socket) => {
  sockets.add(socket);
  socket.on("close", () => sockets.delete(socket));
  socket.on("error", () => socket.destroy());
  socket.once("data", () => behave(socket));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => kubelet.listen(0, "127.0.0.1", resolve));
  const daemonEndpoints = { kubeletEndpoint: { Port: (kubelet.address() as AddressInfo).port } };
  const addresses = [{ type: "InternalIP", address: "127.0.0.1" }];
  const spec = { nodeName: "n", containers: [{ name: "main", image: "i" }] };
  await server.call("bob", "POST", "/api/v1/nodes", {
    metadata: { name: "n" },
    status: { addresses, daemonEndpoints },
  });
  await server.call("bob", "POST", "/api/v1/namespaces/default/pods", { metadata: { name: "web" }, spec });
  const running = { status: { phase: "Running" } };
  const type = { "content-type": "application/merge-patch+json" };
  expect((await server.call("bob", "PATCH", `${POD}/status`, running, type)).status).toBe(200);
});
beforeEach(() => {
  for (const client of clients.splice(0)) client.close();
  for (const socket of sockets) socket.destroy();
});
afterAll(async () => {
  for (const client of clients) client.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => kubelet.close(resolve));
  rmSync(directory, { recursive: true });
});

/** A request of alice on a connection of its own, of which she reads nothing yet. */
async function ask(path: string, headers = ""): Promise<RawConnection> {
  const client = await RawConnection.tls({ host: "127.0.0.1", port: server.process.port });
  clients.push(client);
  client.socket.pause();
  return client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer alice-token\r\n${headers}\r\n`);
}

const flood =
  (head: string, piece: string | Buffer): typeof behave =>
  (socket) => {
    socket.write(head);
    const more = (): void => {
      if (socket.destroyed) return;
      if (socket.write(piece)) setImmediate(more);
      else socket.once("drain", more);
    };
    more();
  };

const unreadBytes = () => server.metric("typeplane_budget_used", "response_bytes");

/** Does something that makes the user reach its limit. */
async function reachLimit(work: () => Promise<unknown>): Promise<void> {
  const refusals = () => server.metric("typeplane_budget_refusals_total", 'response_bytes",limit="user');
  const before = await refusals();
  await work();
  await expect.poll(refusals, { timeout: 60_000 }).toBeGreaterThan(before);
  expect(await unreadBytes()).toBeLessThanOrEqual(LIMIT);
}

it.each([
  ["logs", "log?follow=true", "", flood(CHUNKED, `10000\r\n${"x".repeat(65_536)}\r\n`)],
  ["connections", "exec?command=ls", UPGRADE, flood(SWITCH, Buffer.alloc(65_536))],
  [
    "heads of a megabyte",
    "exec?command=ls",
    UPGRADE,
    (socket) => void socket.write(SWITCH.replace("\r\n", `\r\nX: ${"a".repeat(9e5)}\r\n`)),
  ],
])("ends the %s that waited longest when a user leaves too many unread", async (_what, path, headers, behaviour) => {
  behave = behaviour;
  await reachLimit(() => Promise.all(Array.from({ length: 40 }, () => ask(`${POD}/${path}`, headers))));
  expect((await server.call("bob", "GET", POD)).status).toBe(200);
  expect(sockets.size).toBeLessThan(40);
  for (const client of clients) client.close();
  await expect.poll(unreadBytes, { timeout: 60_000 }).toBe(0);
});

it("ends connections to containers that do not read their input when too much waits for them", async () => {
  behave = (socket) => {
    socket.pause();
    socket.write(SWITCH);
  };
  const input = Buffer.alloc(16 * MEGABYTE);
  const send = async (): Promise<void> => {
    const client = await ask(`${POD}/attach?stdin=true`, UPGRADE);
    client.socket.resume();
    await client.receive((received) => received.includes("\r\n\r\n"));
    client.write(input);
  };
  await reachLimit(() => Promise.all(Array.from({ length: 40 }, send)));
});

it("joins a log that comes in chunks of one byte", async () => {
  const bytes = 50_000;
  behave = (socket) => socket.end(`${CHUNKED}${"1\r\nx\r\n".repeat(bytes)}0\r\n\r\n`);
  const log = await ask(`${POD}/log`);
  log.socket.resume();
  const received = await log.receive((so) => so.subarray(-7).equals(Buffer.from("\r\n0\r\n\r\n")));
  const body = received.subarray(received.indexOf("\r\n\r\n")).toString();
  expect(body.match(/x/g)).toHaveLength(bytes);
  expect(body.match(/\r\n/g)?.length).toBeLessThan(bytes / 10);
});

it("refuses thousands of interim responses", async () => {
  behave = flood("", "HTTP/1.1 103 E\r\n\r\n".repeat(10_000));
  const log = await server.call("alice", "GET", `${POD}/log`);
  expect([log.status, log.text]).toEqual([500, expect.stringContaining("too many interim responses")]);
});

it("answers the last of many WebSocket pings, and the watch goes on", async () => {
  const watch = await ask(
    "/api/v1/namespaces/default/configmaps?watch=true",
    `Origin: https://localhost\r\n${UPGRADE}`,
  );
  const ping = (payload: string) => Buffer.from([0x89, 0x80 + payload.length, 0, 0, 0, 0, ...Buffer.from(payload)]);
  watch.socket.resume();
  await watch.receive((received) => received.includes("\r\n\r\n"));
  watch.write(Buffer.concat([...Array.from({ length: 50_000 }, () => ping("")), ping("last")]));
  const received = await watch.receive((bytes) => bytes.includes("last"));
  expect(received.subarray(-6)).toEqual(Buffer.from([0x8a, 4, ...Buffer.from("last")]));
  expect(received.length).toBeLessThan(50_000);
});
