import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { ConnectProxy, type Stage } from "../../runtime/egress/connect-proxy.ts";
import { EtcdStore } from "../../runtime/store/etcd/etcd-store.ts";
import { startConnectProxy } from "../fixtures/connect-proxy.ts";
import { EtcdProcess } from "../tools/etcd-process.ts";
import { findTool, skipMessage } from "../tools/tools.ts";

const withEtcd = findTool("etcd") !== undefined;
if (!withEtcd) console.warn(`etcd through a proxy: ${skipMessage("etcd")}`);

const open: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of open.splice(0)) server.close();
});

function observed(port: number, timeoutMs: number) {
  const failures: Stage[] = [];
  const counts = { started: 0, connected: 0 };
  const proxy = new ConnectProxy({
    address: { host: "127.0.0.1", port },
    name: `127.0.0.1:${port}`,
    observer: {
      started: () => void (counts.started += 1),
      connected: () => void (counts.connected += 1),
      failed: (stage) => failures.push(stage),
    },
    monotonic: () => performance.now(),
    timeoutMs,
  });
  return { proxy, failures, counts };
}

/** Starts a proxy that misbehaves after a CONNECT request. */
async function hostile(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    socket.once("data", () => answer(socket));
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

it.each<[string, (socket: Socket) => void, string]>([
  ["closes", (socket) => socket.end(), "failed: unexpected EOF"],
  ["is silent", () => undefined, "i/o timeout"],
  ["speaks no HTTP", (socket) => socket.write("220 hello\r\n\r\n"), "failed: malformed HTTP response"],
  [
    "sends an endless header",
    (socket) => {
      const more = (): void => void (socket.writable && socket.write(`X-A: ${"a".repeat(4000)}\r\n`, more));
      socket.write("HTTP/1.1 200 OK\r\n", more);
    },
    "failed: the header is longer than 16384 bytes",
  ],
  [
    "sends one byte after the other",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX-A: ");
      const timer = setInterval(() => socket.write("a"), 20);
      socket.on("close", () => clearInterval(timer));
    },
    "i/o timeout",
  ],
  ["answers an informational response", (socket) => socket.write("HTTP/1.1 102 Wait\r\n\r\n"), "code 102: 102 Wait"],
  ["answers another success", (socket) => socket.write("HTTP/1.1 204 No\r\n\r\n"), "code 204: 204 No"],
  [
    "speaks before the client",
    (socket) => socket.write("HTTP/1.1 200 OK\r\n\r\nboo"),
    "unexpected 3 bytes of buffered data from CONNECT proxy",
  ],
])("a proxy that %s fails the connection within its time", async (_what, answer, message) => {
  const { proxy, failures } = observed(await hostile(answer), 500);
  await expect(proxy.dial("10.0.0.1:443")).rejects.toThrow(message);
  expect(failures).toEqual(["proxy"]);
});

it("a proxy that cannot be reached is named in the error", async () => {
  const port = await hostile(() => undefined);
  await new Promise<void>((resolve) => open.splice(0)[0]?.close(() => resolve()));
  const { proxy, failures } = observed(port, 5000);
  await expect(proxy.dial("10.0.0.1:443")).rejects.toThrow(`dial tcp 127.0.0.1:${port}: connect: connection refused`);
  expect(failures).toEqual(["connect"]);
});

it.skipIf(!withEtcd)("etcd is reached through a proxy, which resolves its name", async () => {
  const etcd = await EtcdProcess.start();
  const etcdPort = Number(new URL(etcd.endpoint).port);
  const server = await startConnectProxy({ portOf: () => etcdPort });
  const { proxy, failures, counts } = observed(server.port, 30_000);
  const store = await EtcdStore.connect({ endpoints: ["http://etcd.invalid:2379"], tunnel: proxy });
  try {
    expect(await store.currentRevision()).toBeGreaterThan(0);
    expect(new Set(server.targets)).toEqual(new Set(["etcd.invalid:2379"]));
    expect(failures).toEqual([]);
    expect(counts.connected).toBe(counts.started);
  } finally {
    await store.close();
    await server.close();
    await etcd.stop();
  }
});
