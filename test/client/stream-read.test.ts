import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChunkDecoder } from "../../runtime/client/transport/chunk-decoder.ts";
import { HttpTransport } from "../../runtime/client/transport/http-transport.ts";

const CHUNKS = 400;
const chunk = (index: number) => Buffer.alloc(1 + ((index * 7919) % 40_000), index);
const hashOf = (parts: Iterable<Uint8Array>) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

describe("the body of a watch that is read as it arrives", () => {
  const server = createServer(async (request, response) => {
    for (let index = 0; index < CHUNKS; index++) {
      if (!response.write(chunk(index))) await new Promise((resolve) => response.once("drain", resolve));
      if (request.url === "/cut" && index === 3) return setTimeout(() => response.destroy(), 20);
    }
    response.end();
  });
  let transport: HttpTransport;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const login = { credentials: async () => ({ headers: {} }), renew: () => false };
    const { port } = server.address() as AddressInfo;
    transport = new HttpTransport({ server: `http://127.0.0.1:${port}` }, login);
  });
  afterAll(() => {
    transport.close();
    server.close();
  });
  const open = (path = "/") => transport.send({ method: "GET", path, headers: {}, isStream: true });

  it("is complete and in order, whether or not the reader asks to wait", async () => {
    const hash = createHash("sha256");
    let [calls, isWaiting] = [0, false];
    const { read } = await open();
    await read((bytes) => {
      expect(isWaiting).toBe(false);
      hash.update(bytes);
      if (calls++ % 5 !== 0) return;
      isWaiting = true;
      return new Promise<void>((resolve) => setImmediate(resolve)).then(() => void (isWaiting = false));
    });
    expect(hash.digest("hex")).toBe(hashOf(Array.from({ length: CHUNKS }, (_, index) => chunk(index))));
  });

  it("rejects with what the reader throws, and with a ConnectionError if the connection is cut", async () => {
    const thrown = (await open()).read(() => {
      throw new Error("enough");
    });
    await expect(thrown).rejects.toThrow("enough");
    const rejected = (await open()).read(() => Promise.reject(new Error("later")));
    await expect(rejected).rejects.toThrow("later");
    const cut = open("/cut").then(({ read }) => read(() => undefined));
    await expect(cut).rejects.toMatchObject({ name: "ConnectionError" });
  });
});

/** The data of a chunked body that arrives in parts of this size. */
function decode(text: string, partSize: number): { data: string; isDone: boolean } {
  const decoder = new ChunkDecoder();
  let data = "";
  for (let start = 0; start < text.length; start += partSize) {
    const bytes = Buffer.from(text.slice(start, start + partSize));
    for (let at = decoder.seek(bytes, 0); at < bytes.length; ) {
      const to = Math.min(bytes.length, at + decoder.left);
      data += bytes.toString("latin1", at, to);
      decoder.skip(to - at);
      at = decoder.seek(bytes, to);
    }
  }
  return { data, isDone: decoder.isDone };
}

describe("the chunked transfer coding", () => {
  it("is decoded with extensions and trailers, wherever the bytes are divided", () => {
    const body = "5\r\nhello\r\n00C;a=b;c\r\n, \r\n0\r\nworld\r\n1 \r\n!\r\n0\r\nDigest: x\r\nOther: y\r\n\r\nrest";
    for (let size = 1; size <= body.length; size++)
      expect(decode(body, size)).toEqual({ data: "hello, \r\n0\r\nworld!", isDone: true });
  });

  it("is refused where its sizes or ends of lines are wrong", () => {
    for (const body of [
      "\r\n",
      "g\r\n",
      "-1\r\n",
      "5\nhello",
      "5\r\nhello0\r\n",
      "1\r\na\n0",
      "5;a\nhello",
      "1".repeat(13),
    ])
      expect(() => decode(body, 4), JSON.stringify(body)).toThrow("not in chunks");
    expect(decode("5\r\nhel", 3)).toEqual({ data: "hel", isDone: false });
  });
});

describe("a response to a watch", () => {
  const ask = async (bytes: string, partSize: number, read: "read" | "body") => {
    const sockets = new Set<Socket>();
    const server = createTcpServer((socket) => {
      sockets.add(socket.setNoDelay());
      socket.on("error", () => undefined);
      socket.once("data", async () => {
        for (let at = 0; at < bytes.length; at += partSize) {
          socket.write(bytes.slice(at, at + partSize));
          await new Promise((resolve) => setImmediate(resolve));
        }
        socket.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const login = { credentials: async () => ({ headers: {} }), renew: () => false };
    const transport = new HttpTransport({ server: `http://127.0.0.1:${port}` }, login);
    try {
      const response = await transport.send({ method: "GET", path: "/", headers: {}, isStream: true });
      let text = "";
      if (read === "read") await response.read((part) => void (text += Buffer.from(part).toString()));
      else for await (const part of response.body) text += Buffer.from(part).toString();
      return { status: response.status, text };
    } finally {
      transport.close();
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  };
  const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";

  it("is read after informational responses, in chunks, with a length or up to the end of the connection", async () => {
    const answer = { status: 200, text: "hello world" };
    for (const partSize of [7, 1000])
      for (const read of ["read", "body"] as const) {
        expect(await ask(chunked, partSize, read)).toEqual(answer);
        expect(await ask(`HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${chunked}`, partSize, read)).toEqual(answer);
        const plain = "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world";
        expect(await ask(plain, partSize, read)).toEqual(answer);
        expect(await ask("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello world", partSize, read)).toEqual(answer);
      }
  });

  it("is an error if it ends within a chunk, or is not in chunks as its header says", async () => {
    await expect(ask(chunked.slice(0, -12), 1000, "read")).rejects.toMatchObject({ name: "ConnectionError" });
    await expect(ask(chunked.replace("6", "z"), 1000, "read")).rejects.toThrow("not in chunks");
  });
});
