import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { Flag, FrameType, frame, framesIn, PREFACE, request, Setting, settings } from "./http2-frames.ts";
import { RawConnection, statusesIn, targetOf } from "./raw-connection.ts";

/** Tests each limit individually, with high values for the others. */
const FAR = "10m";
const SOON_MS = 60_000;

let plane: Plane | undefined;
const start = async (flags: Readonly<Record<string, string>>) => {
  const limits = [
    "tls-handshake-timeout",
    "read-header-timeout",
    "read-request-timeout",
    "idle-connection-timeout",
    "response-progress-timeout",
  ];
  const far = Object.fromEntries(limits.map((name) => [name, FAR]));
  plane = await startPlane({ flags: { controllers: "false", ...far, ...flags } });
  await plane.ready;
};
const running = (): Plane => plane as Plane;
const stop = () => running().stop();

const http1 = () => RawConnection.tls(targetOf(running().client.server));
async function http2(...first: Buffer[]): Promise<RawConnection<TLSSocket>> {
  const connection = await RawConnection.tls(targetOf(running().client.server), { ALPNProtocols: ["h2"] });
  return connection.write(Buffer.concat([PREFACE, settings(), ...first]));
}
const call = (method: string, path: string, body?: unknown) => createClient(running())(method, path, { body });
const closedFor = async (reason: string): Promise<number> => {
  const { text } = await call("GET", "/metrics");
  return Number(
    new RegExp(`^typeplane_connections_closed_total\\{reason="${reason}"\\} (\\d+)$`, "m").exec(text)?.[1] ?? 0,
  );
};
const authorization = () => `Authorization: Bearer ${running().client.token}\r\n`;

/** Writes a few bytes repeatedly until the connection is closed. */
async function trickle(connection: RawConnection, piece: () => string | Uint8Array): Promise<boolean> {
  const timer = setInterval(() => connection.write(piece()), 100);
  const isClosed = await connection.isClosedWithin(SOON_MS);
  clearInterval(timer);
  connection.close();
  return isClosed;
}

describe("a client that sends headers slowly is disconnected", () => {
  beforeAll(() => start({ "read-header-timeout": "1s" }));
  afterAll(stop);

  it("over HTTP/1.1, sending nothing", async () => {
    expect(await (await http1()).isClosedWithin(SOON_MS)).toBe(true);
  });

  it("over HTTP/1.1, byte by byte", async () => {
    const connection = await http1();
    connection.write("GET /version HTTP/1.1\r\nHost: here\r\n");
    let count = 0;
    expect(await trickle(connection, () => `X-${count++}: y\r\n`)).toBe(true);
    expect(await closedFor("headers_timeout")).toBeGreaterThan(0);
  });

  it("over HTTP/1.1, on a connection that was used before", async () => {
    const connection = await http1();
    connection.write("GET /version HTTP/1.1\r\nHost: here\r\n\r\n");
    await connection.receive((received) => received.includes("gitVersion"));
    connection.write("GET /ver");
    expect(await connection.isClosedWithin(SOON_MS)).toBe(true);
  });

  it("over HTTP/2, without the preface, without a request, with half a request", async () => {
    const silent = await RawConnection.tls(targetOf(running().client.server), { ALPNProtocols: ["h2"] });
    const greeting = await http2();
    const half = await http2(request(1, "/version", {}, { flags: Flag.endStream }));
    const pinging = await http2();
    for (const connection of [silent, greeting, half]) expect(await connection.isClosedWithin(SOON_MS)).toBe(true);
    expect(await trickle(pinging, () => frame(FrameType.ping, 0, 0, Buffer.alloc(8)))).toBe(true);
  });
});

describe("a client that sends a body slowly is disconnected", () => {
  beforeAll(() => start({ "read-request-timeout": "1s" }));
  afterAll(stop);

  it("over HTTP/1.1", async () => {
    const connection = await http1();
    const headers = `Host: here\r\n${authorization()}Content-Type: application/json\r\nContent-Length: 100000\r\n`;
    connection.write(`POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\n${headers}\r\n`);
    expect(await trickle(connection, () => " ")).toBe(true);
  });

  it("over HTTP/1.1, after it was answered", async () => {
    const connection = await http1();
    connection.write(
      "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: here\r\nContent-Length: 100000\r\n\r\n",
    );
    await connection.receive((received) => received.includes("HTTP/1.1"));
    expect(statusesIn(connection.text)).toEqual([403]);
    expect(await trickle(connection, () => " ")).toBe(true);
  });

  it("over HTTP/2, by a reset of the stream", async () => {
    const headers = { authorization: `Bearer ${running().client.token}`, "content-type": "application/json" };
    const options = { method: "POST", flags: Flag.endHeaders };
    const connection = await http2(request(1, "/api/v1/namespaces/default/configmaps", headers, options));
    const timer = setInterval(() => connection.write(frame(FrameType.data, 0, 1, Buffer.from(" "))), 100);
    await connection.receive(
      (received) => framesIn(received).some(({ type }) => type === FrameType.rstStream),
      SOON_MS,
    );
    clearInterval(timer);
    expect(framesIn(connection.received).some(({ type }) => type === FrameType.rstStream)).toBe(true);
    connection.close();
  });
});

describe("a connection without a request", () => {
  beforeAll(() => start({ "idle-connection-timeout": "1s" }));
  afterAll(stop);

  it("is closed over HTTP/1.1 and HTTP/2, one with a watch stays", async () => {
    const path = "/api/v1/namespaces/default/configmaps?watch=true";
    const used = await http1();
    used.write("GET /version HTTP/1.1\r\nHost: here\r\n\r\n");
    const watching = await http1();
    watching.write(`GET ${path} HTTP/1.1\r\nHost: here\r\n${authorization()}\r\n`);
    const usedToo = await http2(request(1, "/version"));
    const watchingToo = await http2(request(1, path, { authorization: `Bearer ${running().client.token}` }));
    expect(await used.isClosedWithin(SOON_MS)).toBe(true);
    expect(await usedToo.isClosedWithin(SOON_MS)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect([watching.socket.destroyed, watchingToo.socket.destroyed]).toEqual([false, false]);
    watching.close();
    watchingToo.close();
  });
});

describe("a client that does not read", () => {
  beforeAll(async () => {
    await start({ "response-progress-timeout": "1s" });
    const body = { metadata: { generateName: "large-" }, data: { text: "x".repeat(900_000) } };
    for (let index = 0; index < 20; index += 1) await call("POST", "/api/v1/namespaces/default/configmaps", body);
  });
  afterAll(stop);

  it("is disconnected over HTTP/1.1", async () => {
    const connection = await http1();
    connection.socket.pause();
    connection.write(`GET /api/v1/configmaps HTTP/1.1\r\nHost: here\r\n${authorization()}\r\n`);
    await expect.poll(() => closedFor("no_progress"), { timeout: SOON_MS, interval: 500 }).toBe(1);
    connection.close();
  });

  it("is disconnected over HTTP/2, whether it closes the window of one request or reads nothing at all", async () => {
    const headers = { authorization: `Bearer ${running().client.token}` };
    const windowless = await RawConnection.tls(targetOf(running().client.server), { ALPNProtocols: ["h2"] });
    windowless.write(
      Buffer.concat([PREFACE, settings([[Setting.initialWindowSize, 0]]), request(1, "/api/v1/configmaps", headers)]),
    );
    await windowless.receive(
      (received) => framesIn(received).some(({ type }) => type === FrameType.rstStream),
      SOON_MS,
    );
    expect(framesIn(windowless.received).some(({ type }) => type === FrameType.rstStream)).toBe(true);
    windowless.write(request(3, "/healthz", headers));
    windowless.close();
    const huge = 0x7fffffff;
    const deaf = await RawConnection.tls(targetOf(running().client.server), { ALPNProtocols: ["h2"] });
    deaf.socket.pause();
    const window = Buffer.alloc(4);
    window.writeUInt32BE(huge - 65535);
    deaf.write(
      Buffer.concat([
        PREFACE,
        settings([[Setting.initialWindowSize, huge]]),
        frame(FrameType.windowUpdate, 0, 0, window),
        request(1, "/api/v1/configmaps", headers),
      ]),
    );
    await expect.poll(() => closedFor("no_progress"), { timeout: SOON_MS, interval: 500 }).toBe(2);
    deaf.close();
  });

  it("is not disconnected while it reads slowly", async () => {
    const connection = await http1();
    connection.write(`GET /api/v1/configmaps HTTP/1.1\r\nHost: here\r\n${authorization()}\r\n`);
    const pausing = setInterval(() => {
      connection.socket.pause();
      setTimeout(() => connection.socket.resume(), 150);
    }, 300);
    await connection.receive((received) => received.subarray(-7).includes("0\r\n\r\n"), SOON_MS);
    clearInterval(pausing);
    expect(connection.received.length).toBeGreaterThan(18_000_000);
    connection.close();
  });
});
