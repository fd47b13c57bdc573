import { randomBytes } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { describe, expect, it } from "vitest";
import { RawConnection, statusesIn, targetOf } from "./raw-connection.ts";
import { serveWithoutErrors } from "./serve-without-errors.ts";

const { client, call, watches } = serveWithoutErrors();

const PATH = "/api/v1/namespaces/default/configmaps";
const TEXT = 1;
const CONTINUATION = 0;
const PING = 9;
const PONG = 10;
const CLOSE = 8;

/** A frame as a client sends it, masked with zeros. */
function frame(opcode: number, payload: Buffer, { final = true } = {}): Buffer {
  const first = (final ? 0x80 : 0) | opcode;
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65536 ? 4 : 10);
  head[0] = first;
  head[1] = 0x80 | (length < 126 ? length : length < 65536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}

async function shakeHands(headers: Readonly<Record<string, string>> = {}): Promise<RawConnection<TLSSocket>> {
  const connection = await RawConnection.tls(targetOf(client().server));
  const all: Record<string, string> = {
    Host: "here",
    Authorization: `Bearer ${client().token}`,
    Origin: "https://here",
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  connection.write(`GET ${PATH}?watch=true HTTP/1.1\r\n${lines.join("")}\r\n`);
  await connection.receive((received) => received.includes("\r\n\r\n"));
  return connection;
}

describe("a WebSocket watch", () => {
  it.each([
    ["that is not masked", Buffer.from([0x81, 0x02, 0x61, 0x62])],
    ["with reserved bits", Buffer.from([0xf1, 0x80, 0, 0, 0, 0])],
    ["of no known kind", Buffer.from([0x83, 0x80, 0, 0, 0, 0])],
    ["that continues nothing", frame(CONTINUATION, Buffer.from("x"))],
    ["of control that is too long", frame(PING, Buffer.alloc(200))],
    ["that announces 2^62 bytes", Buffer.from([0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
    ["of text that is not UTF-8", frame(TEXT, Buffer.from([0xff, 0xfe]))],
    ["to close with a code that is none", frame(CLOSE, Buffer.from([0, 1]))],
  ])("ends with a frame %s", async (_kind, bytes) => {
    const connection = await shakeHands();
    expect(statusesIn(connection.text)).toEqual([101]);
    connection.write(bytes);
    expect(await connection.isClosedWithin(30_000)).toBe(true);
    await expect.poll(watches, { timeout: 120_000 }).toBe(0);
  });

  it("ends with a message that is too large, whole or in fragments", async () => {
    const whole = await shakeHands();
    whole.write(frame(TEXT, Buffer.alloc(1024 * 1024)));
    expect(await whole.isClosedWithin(30_000)).toBe(true);
    const many = await shakeHands();
    many.write(frame(TEXT, Buffer.alloc(10), { final: false }));
    for (let index = 0; index < 1000; index += 1) many.write(frame(CONTINUATION, Buffer.alloc(1), { final: false }));
    expect(await many.isClosedWithin(30_000)).toBe(true);
  });

  it("ignores messages, answers pings and goes on", async () => {
    const connection = await shakeHands();
    connection.write(frame(TEXT, Buffer.from("hello"))).write(frame(PONG, Buffer.alloc(3)));
    connection.write(frame(PING, Buffer.from("are you there")));
    await connection.receive((received) => received.includes("are you there"));
    expect(connection.text).toContain("are you there");
    await call("POST", PATH, { metadata: { name: "seen-by-websocket" } });
    await connection.receive((received) => received.includes("seen-by-websocket"));
    expect(connection.text).toContain("seen-by-websocket");
    connection.write(frame(CLOSE, Buffer.alloc(0)));
    expect(await connection.isClosedWithin(30_000)).toBe(true);
    await expect.poll(watches, { timeout: 120_000 }).toBe(0);
  });

  it("does not buffer pongs for a peer that does not read", async () => {
    const connection = await shakeHands();
    connection.socket.pause();
    const pings = Buffer.concat(Array.from({ length: 8000 }, () => frame(PING, Buffer.alloc(125))));
    const before = process.memoryUsage().external + process.memoryUsage().arrayBuffers;
    for (let index = 0; index < 30; index += 1) {
      connection.write(pings);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
    // 30 MB were sent, as much would wait; what waits in the client's own buffers is the same 1 MB again and again.
    const after = process.memoryUsage().external + process.memoryUsage().arrayBuffers;
    expect(after - before).toBeLessThan(100 * 1024 * 1024);
    expect((await call("GET", "/version")).status).toBe(200);
    connection.close();
    await expect.poll(watches, { timeout: 120_000 }).toBe(0);
  });

  it.each([
    ["without a key", { "Sec-WebSocket-Key": "" }],
    ["with a key of the wrong length", { "Sec-WebSocket-Key": "YQ==" }],
    ["of an unknown version", { "Sec-WebSocket-Version": "99" }],
    ["with broken protocols", { "Sec-WebSocket-Protocol": ",," }],
  ])("is refused %s, and leaves nothing behind", async (_kind, headers) => {
    const connection = await shakeHands(headers);
    expect(statusesIn(connection.text)).toEqual([400]);
    expect(await connection.isClosedWithin(10_000)).toBe(true);
    expect(connection.text).toContain('"reason":"BadRequest"');
    await expect.poll(watches, { timeout: 120_000 }).toBe(0);
  });

  it("is an ordinary watch where another protocol is asked for, and ends with its connection", async () => {
    const connection = await shakeHands({ Upgrade: "h2c" });
    expect(statusesIn(connection.text)).toEqual([200]);
    expect(await watches()).toBe(1);
    connection.close();
    await expect.poll(watches, { timeout: 120_000 }).toBe(0);
  });

  it("ends if the peer disconnects during the handshake or between frames", async () => {
    for (let index = 0; index < 20; index += 1) {
      const connection = await shakeHands();
      connection.write(frame(TEXT, Buffer.alloc(100)).subarray(0, index));
      connection.close();
    }
    await expect.poll(watches, { timeout: 120_000 }).toBe(0);
  });
});
