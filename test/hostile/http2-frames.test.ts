import type { TLSSocket } from "node:tls";
import { describe, expect, it } from "vitest";
import {
  Flag,
  FrameType,
  frame,
  framesIn,
  headerBlock,
  PREFACE,
  ping,
  request,
  rstStream,
  Setting,
  settings,
  windowUpdate,
} from "./http2-frames.ts";
import { RawConnection, targetOf } from "./raw-connection.ts";
import { serveWithoutErrors } from "./serve-without-errors.ts";

const { client, call } = serveWithoutErrors();

async function open(...first: Buffer[]): Promise<RawConnection<TLSSocket>> {
  const connection = await RawConnection.tls(targetOf(client().server), { ALPNProtocols: ["h2"] });
  return connection.write(Buffer.concat([PREFACE, settings(), ...first]));
}

const isServing = async () => (await call("GET", "/version")).status;
const typesIn = (connection: RawConnection) => framesIn(connection.received).map(({ type }) => type);

describe("an HTTP/2 connection", () => {
  it("answers requests of the raw client that these tests use", async () => {
    const connection = await open(request(1, "/version"), request(3, "/version"));
    await connection.receive(
      (received) => framesIn(received).filter(({ flags, type }) => type === 0 && flags & 1).length === 2,
    );
    expect(connection.text).toContain("gitVersion");
    connection.close();
  });

  it("serves on after requests that depend on themselves, and after trailers with pseudo headers", async () => {
    const self = Buffer.concat([Buffer.from([0, 0, 0, 1, 255]), headerBlock({ ":method": "GET" })]);
    const flags = Flag.endHeaders | Flag.endStream;
    const post = request(1, "/api/v1/namespaces/default/configmaps", {}, { method: "POST", flags: Flag.endHeaders });
    const body = frame(FrameType.data, 0, 1, Buffer.from("{}"));
    const inputs: Buffer[][] = [
      [frame(FrameType.headers, flags | Flag.priority, 1, self)],
      Array.from({ length: 2000 }, (_, index) => frame(FrameType.priority, 0, 2 * index + 1, Buffer.alloc(5))),
      [post, body, frame(FrameType.headers, flags, 1, headerBlock({ ":path": "/version", ":status": "200" }))],
      [post, body, frame(FrameType.headers, flags, 1, headerBlock({ authorization: `Bearer ${client().token}` }))],
      [post, body, frame(FrameType.headers, Flag.endHeaders, 1, headerBlock({ "x-checksum": "1" }))],
    ];
    const connections = await Promise.all(inputs.map((frames) => open(...frames)));
    const trailing = connections[3] as RawConnection;
    await trailing.receive((received) => framesIn(received).some(({ type, stream }) => type === 0 && stream === 1));
    // A trailer does not authenticate.
    expect(trailing.text).toContain("Forbidden");
    expect(await isServing()).toBe(200);
    for (const connection of connections) connection.close();
  });

  it("ends when a client resets its requests again and again (CVE-2023-44487)", async () => {
    const connection = await open();
    let sent = 0;
    const isEnded = () => connection.socket.destroyed || typesIn(connection).includes(FrameType.goaway);
    for (; sent < 20_000 && !isEnded(); sent += 100) {
      const ids = Array.from({ length: 100 }, (_, index) => (sent + index) * 2 + 1);
      connection.write(Buffer.concat(ids.flatMap((id) => [request(id, "/version"), rstStream(id)])));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(sent).toBeLessThan(20_000);
    // Node 22.18 ignores what follows, and closes the connection when it has been idle.
    connection.write(request(100_001, "/version"));
    await connection.isClosedWithin(1000);
    expect(connection.text).not.toContain("gitVersion");
    expect(await isServing()).toBe(200);
    connection.close();
  });

  it("ends with headers that never end (CONTINUATION flood)", async () => {
    const connection = await open(request(1, "/version", {}, { flags: Flag.endStream }));
    const more = Buffer.concat(
      Array.from({ length: 100 }, (_, index) =>
        frame(FrameType.continuation, 0, 1, headerBlock({ [`x-${index}`]: "y".repeat(1000) })),
      ),
    );
    for (let index = 0; index < 100 && !connection.socket.destroyed; index += 1) connection.write(more);
    expect(await connection.isClosedWithin(20_000)).toBe(true);
    expect(await isServing()).toBe(200);
  });

  it.each([
    ["PING", () => ping()],
    ["SETTINGS", () => settings([[Setting.headerTableSize, 4096]])],
  ])("ends with a flood of %s frames whose acknowledgements nobody reads", async (_kind, make) => {
    const connection = await open();
    connection.socket.pause();
    const flood = Buffer.concat(Array.from({ length: 4000 }, make));
    let sent = 0;
    for (; sent < 2000 && !connection.socket.destroyed; sent += 1) {
      if (!connection.socket.write(flood)) await new Promise((resolve) => setTimeout(resolve, 2));
      if (connection.socket.writableLength > 4_000_000) break;
    }
    // The server has either ended the connection or stopped reading it. In both cases it stores nothing more.
    connection.socket.resume();
    expect(connection.socket.destroyed || connection.socket.writableLength > 0 || sent === 2000).toBe(true);
    expect(await isServing()).toBe(200);
    connection.close();
  });

  it.each([
    ["PING", () => ping()],
    ["SETTINGS", () => settings([[Setting.headerTableSize, 4096]])],
  ])(
    "that floods the server with %s frames and reads the acknowledgements keeps nobody from being served",
    async (_kind, make) => {
      const connection = await open();
      let acknowledged = 0;
      connection.socket.removeAllListeners("data").on("data", (bytes: Buffer) => {
        acknowledged += bytes.length;
      });
      const flood = Buffer.concat(Array.from({ length: 4000 }, make));
      const memory = process.memoryUsage().rss;
      let sent = 0;
      const isFlooding = (async () => {
        for (; sent < 100 && !connection.socket.destroyed; sent += 1) {
          const isTaken = connection.socket.write(flood);
          await new Promise<void>((resolve) => {
            if (isTaken) setImmediate(resolve);
            else connection.socket.once("drain", resolve).once("close", () => resolve());
          });
        }
      })();
      for (let times = 0; times < 5; times += 1) expect(await isServing()).toBe(200);
      await isFlooding;
      expect(await isServing()).toBe(200);
      expect(acknowledged > 0 || connection.socket.destroyed).toBe(true);
      expect(process.memoryUsage().rss - memory).toBeLessThan(300 * 1024 * 1024);
      connection.close();
    },
  );

  it.each([
    ["a frame of a stream that never was", frame(FrameType.data, 0, 5, Buffer.alloc(10))],
    ["a frame larger than allowed", frame(FrameType.data, 0, 1, Buffer.alloc(1_000_000))],
    ["an even stream", request(2, "/version")],
    ["a window beyond 2^31", windowUpdate(0, 0x7fffffff)],
    ["a window update of nothing", windowUpdate(0, 0)],
    ["PUSH_PROMISE", frame(FrameType.pushPromise, Flag.endHeaders, 1, Buffer.alloc(8))],
    ["SETTINGS of a wrong length", frame(FrameType.settings, 0, 0, Buffer.alloc(5))],
    ["PING of a wrong length", frame(FrameType.ping, 0, 0, Buffer.alloc(7))],
    [
      "headers that are no HPACK",
      frame(FrameType.headers, Flag.endHeaders | Flag.endStream, 1, Buffer.alloc(20, 0xff)),
    ],
    ["CONTINUATION of nothing", frame(FrameType.continuation, Flag.endHeaders, 1, Buffer.alloc(3))],
    ["HTTP/1.1", Buffer.from("GET /version HTTP/1.1\r\nHost: here\r\n\r\n")],
  ])("gets an error or ends after %s", async (_kind, bytes) => {
    const connection = await open(bytes);
    await connection.receive(() => typesIn(connection).some((type) => type === FrameType.goaway), 10_000);
    const told = typesIn(connection).some((type) => type === FrameType.goaway || type === FrameType.rstStream);
    expect(told || connection.socket.destroyed).toBe(true);
    connection.close();
    expect(await isServing()).toBe(200);
  });

  it.each([
    ["no path", { ":method": "GET", ":scheme": "https", ":authority": "here" }],
    ["an empty path", { ":method": "GET", ":scheme": "https", ":path": "", ":authority": "here" }],
    ["a path without a slash", { ":method": "GET", ":scheme": "https", ":path": "version", ":authority": "here" }],
    ["a made-up method", { ":method": "constructor", ":scheme": "https", ":path": "/version", ":authority": "here" }],
    ["CONNECT", { ":method": "CONNECT", ":authority": "here:443" }],
    ["an unknown pseudo-header", { ":method": "GET", ":scheme": "https", ":path": "/version", ":odd": "x" }],
    ["an upper-case header", { ":method": "GET", ":scheme": "https", ":path": "/version", "X-Odd": "x" }],
    ["a connection header", { ":method": "GET", ":scheme": "https", ":path": "/version", connection: "upgrade" }],
    [
      "transfer-encoding",
      { ":method": "GET", ":scheme": "https", ":path": "/version", "transfer-encoding": "chunked" },
    ],
    [
      "a name that objects have",
      { ":method": "GET", ":scheme": "https", ":path": "/version", constructor: "x", __proto__x: "y" },
    ],
  ])("goes on, or ends, after a request with %s", async (_kind, headers) => {
    const block = headerBlock(headers);
    const connection = await open(frame(FrameType.headers, Flag.endHeaders | Flag.endStream, 1, block));
    await connection.receive(() => framesIn(connection.received).some(({ stream }) => stream === 1), 10_000);
    connection.close();
    expect(await isServing()).toBe(200);
  });

  it("survives a client that resets while a list is sent, or leaves", async () => {
    const body = { metadata: { generateName: "large-" }, data: { text: "x".repeat(200_000) } };
    for (let index = 0; index < 5; index += 1) await call("POST", "/api/v1/namespaces/default/configmaps", body);
    const authorization = `Bearer ${client().token}`;
    for (let round = 0; round < 6; round += 1) {
      const window = windowUpdate(0, 0x3fffffff);
      const connection = await open(window, request(1, "/api/v1/configmaps", { authorization }));
      await connection.receive((received) => received.length > round * 5_000, 5_000);
      if (round % 2 === 0) connection.write(rstStream(1, round));
      else connection.close();
      connection.write(request(3, "/version"));
      await connection.receive((received) => received.includes("gitVersion"), 5_000);
      connection.close();
    }
    expect(await isServing()).toBe(200);
  });
});
