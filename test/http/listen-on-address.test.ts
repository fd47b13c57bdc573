import { execFile } from "node:child_process";
import { connect } from "node:net";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { ConnectionLimits } from "../../runtime/http/transport/connection-limits.ts";
import { listen } from "../../runtime/http/transport/listen.ts";

const LISTEN = new URL("../../runtime/http/transport/listen.ts", import.meta.url).href;

/** Runs in its own process without a channel to its parent, like real servers. */
const SCRIPT = `
import { listen } from ${JSON.stringify(LISTEN)};
const names = ["handshakeTimeoutMs", "headersTimeoutMs", "idleTimeoutMs", "progressTimeoutMs", "requestTimeoutMs"];
const limits = Object.fromEntries(names.map((name) => [name, 10_000]));
const open = (host, port = 0) => listen((_, response) => response.end("served"), { host, port, limits });
const first = await open("127.0.0.1");
const { address, family, port } = first.address;
const loadsCluster = process.moduleLoadList.includes("NativeModule cluster");
const taken = await open("127.0.0.1", port).then(() => "", (error) => error.code + " " + error.syscall);
const foreign = await open("192.0.2.1").then(() => "", (error) => error.code + " " + error.syscall);
const text = await (await fetch("http://127.0.0.1:" + port)).text();
const named = await open("localhost");
console.log(JSON.stringify({ address, family, loadsCluster, taken, foreign, text, named: named.address.port > 0 }));
await Promise.all([first.close(0), named.close(0)]);
`;

it("listens on an address without loading node:cluster, and on a name; rejects with the error of the socket", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    "--input-type=module",
    "--eval",
    SCRIPT,
  ]);
  expect(JSON.parse(stdout)).toEqual({
    address: "127.0.0.1",
    family: "IPv4",
    loadsCluster: false,
    taken: "EADDRINUSE listen",
    foreign: "EADDRNOTAVAIL listen",
    text: "served",
    named: true,
  });
});

const LIMITS: ConnectionLimits = {
  maxConnections: 1_000,
  maxHandshakes: 1_000,
  handshakeTimeoutMs: 10_000,
  headersTimeoutMs: 10_000,
  idleTimeoutMs: 10_000,
  progressTimeoutMs: 10_000,
  requestTimeoutMs: 10_000,
};

/** Only on Linux can one port have several listening sockets. */
it.runIf(process.platform === "linux")("accepts many connections in few turns of a busy event loop", async () => {
  const listener = await listen((_, response) => void response.end("served"), {
    host: "127.0.0.1",
    port: 0,
    limits: LIMITS,
  });
  const clients = Array.from({ length: 160 }, () => connect(listener.address.port, "127.0.0.1"));
  try {
    // The kernel establishes them without the server.
    await Promise.all(clients.map((client) => new Promise((resolve) => client.once("connect", resolve))));
    let turns = 0;
    for (; listener.connections < clients.length && turns < clients.length; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(listener.connections).toBe(clients.length);
    expect(turns).toBeLessThan(clients.length / 2);
  } finally {
    for (const client of clients) client.destroy();
    await listener.close(1_000);
  }
});

it("answers on every connection, ends all of them, and frees the port", async () => {
  const first = await listen((_, response) => void response.end("served"), {
    host: "127.0.0.1",
    port: 0,
    limits: LIMITS,
  });
  const { port } = first.address;
  const ask = () => fetch(`http://127.0.0.1:${port}`, { headers: { connection: "close" } });
  const texts = await Promise.all(Array.from({ length: 64 }, async () => (await ask()).text()));
  expect(new Set(texts)).toEqual(new Set(["served"]));
  await first.close(1_000);
  await expect(ask()).rejects.toThrow("fetch failed");
  const second = await listen((_, response) => void response.end("second"), {
    host: "127.0.0.1",
    port,
    limits: LIMITS,
  });
  expect(await (await ask()).text()).toBe("second");
  await second.close(1_000);
});
