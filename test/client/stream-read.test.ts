import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
