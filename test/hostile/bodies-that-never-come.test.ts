import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { afterEach, describe, expect, it, vi } from "vitest";
import { crowdedServer } from "./crowded-server.ts";

/* A client announces bodies and does not send them. No other client may have to wait for it. */

const MAPS = "/api/v1/namespaces/default/configmaps";
const server = crowdedServer("--request-timeout=30s", "--max-request-body-bytes-per-user=2000000");
const sockets: TLSSocket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Sends the head of a POST and `sent` bytes of its body; resolves with the socket. */
async function halfPost(user: string, announced: number, sent: number): Promise<TLSSocket> {
  const socket = connect({ port: server.process.port, host: "127.0.0.1", rejectUnauthorized: false });
  sockets.push(socket);
  socket.on("error", () => undefined);
  await once(socket, "secureConnect");
  const head = [
    `POST ${MAPS} HTTP/1.1`,
    "Host: x",
    `Authorization: Bearer ${user}-token`,
    "Content-Type: application/json",
    `Content-Length: ${announced}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${" ".repeat(sent)}`);
  return socket;
}

async function firstLine(socket: TLSSocket): Promise<string> {
  const [answer] = (await once(socket, "data")) as [Buffer];
  return answer.toString("latin1").split("\r\n", 1)[0] ?? "";
}

function map(name: string) {
  return { metadata: { name } };
}

describe("250 POSTs whose bodies never arrive", () => {
  it("do not delay other requests, and end after a timeout", async () => {
    const waiting = await Promise.all(Array.from({ length: 250 }, (_, index) => halfPost("alice", 100, index % 2)));
    const answers = Promise.all(waiting.map(firstLine));
    await vi.waitFor(
      async () =>
        expect(await server.metric("apiserver_current_inflight_requests", "mutating")).toBeGreaterThanOrEqual(200),
      120_000,
    );
    for (const name of ["one", "two", "three"]) {
      expect((await server.call("bob", "POST", MAPS, map(name))).status).toBe(201);
      expect((await server.call("alice", "POST", `${MAPS}?dryRun=All`, map(`${name}-too`))).status).toBe(201);
    }
    expect(await server.metric("typeplane_budget_used", "writes")).toBe(0);
    expect(await server.metric("typeplane_budget_used", "request_body_bytes")).toBeGreaterThan(0);
    expect(new Set(await answers)).toEqual(new Set(["HTTP/1.1 504 Gateway Timeout"]));
    expect(await server.metric("typeplane_budget_used", "request_body_bytes")).toBe(0);
    expect(await server.metric("apiserver_request_terminations_total", 'code="504"')).toBe(250);
  });
});

describe("bodies that are being received", () => {
  it("are limited in bytes per user; beyond the limit requests get 429, and other users are not affected", async () => {
    const waiting = await Promise.all([halfPost("alice", 1_500_000, 900_000), halfPost("alice", 1_500_000, 900_000)]);
    await vi.waitFor(
      async () => expect(await server.metric("typeplane_budget_used", "request_body_bytes")).toBeGreaterThan(1_700_000),
      120_000,
    );
    const third = await halfPost("alice", 1_500_000, 900_000);
    expect(await firstLine(third)).toBe("HTTP/1.1 429 Too Many Requests");
    expect((await server.call("bob", "POST", `${MAPS}?dryRun=All`, map("small"))).status).toBe(201);
    expect(await server.metric("typeplane_budget_refusals_total", 'budget="request_body_bytes",limit="user"')).toBe(1);
    for (const socket of waiting) socket.destroy();
    await vi.waitFor(
      async () => expect(await server.metric("typeplane_budget_used", "request_body_bytes")).toBe(0),
      120_000,
    );
  });

  it("get 403 before they have arrived if the user lacks the permission", async () => {
    const socket = await halfPost("nobody-knows", 100, 0);
    expect(await firstLine(socket)).toBe("HTTP/1.1 401 Unauthorized");
  });

  it("no longer count when their HTTP/2 connection is interrupted", async () => {
    const session = server.session();
    const stream = session.request({
      ":method": "POST",
      ":path": MAPS,
      authorization: "Bearer alice-token",
      "content-type": "application/yaml",
    });
    stream.on("error", () => undefined);
    stream.write("metadata:\n  name: half-of-it\n");
    await vi.waitFor(
      async () => expect(await server.metric("typeplane_budget_used", "request_body_bytes")).toBeGreaterThan(0),
      120_000,
    );
    session.destroy();
    await vi.waitFor(
      async () => expect(await server.metric("typeplane_budget_used", "request_body_bytes")).toBe(0),
      120_000,
    );
    expect((await server.call("bob", "GET", `${MAPS}/half-of-it`)).status).toBe(404);
  });
});

describe("a body with malformed chunks", () => {
  it.each([
    ["a size that is no number", "zz\r\nabcde\r\n"],
    ["a size beyond 64 bits", "fffffffffffffffff\r\nabcde"],
    ["an extension of 20,000 characters", `5;${"a".repeat(20_000)}\r\nabcde\r\n0\r\n\r\n`],
  ])("by %s is answered 400 at once, and the connection is closed", async (_, body) => {
    const socket = connect({ port: server.process.port, host: "127.0.0.1", rejectUnauthorized: false });
    sockets.push(socket);
    socket.on("error", () => undefined);
    let received = "";
    socket.on("data", (bytes: Buffer) => {
      received += bytes.toString("latin1");
    });
    await once(socket, "secureConnect");
    const type = "Content-Type: application/json\r\nTransfer-Encoding: chunked";
    socket.write(`POST ${MAPS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer bob-token\r\n${type}\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.write(body);
    await once(socket, "close");
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
    expect(received).toContain("unexpected EOF");
  });
});
