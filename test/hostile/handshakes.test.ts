import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type SecureVersion } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { ServerProcess } from "../tools/server-process.ts";
import { RawConnection, statusesIn, targetOf } from "./raw-connection.ts";

const SOON_MS = 60_000;
/** Start of a handshake: a record that announces more bytes than it sends. */
const HALF_HELLO = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]);

let plane: Plane;
const serve = (flags: Readonly<Record<string, string>>) => {
  beforeAll(async () => {
    plane = await startPlane({ flags: { controllers: "false", ...flags } });
    await plane.ready;
  });
  afterAll(() => plane.stop());
};

const target = () => targetOf(plane.client.server);
const call = (method: string, path: string) => createClient(plane)(method, path);
const metric = async (name: string): Promise<number> => {
  const { text } = await call("GET", "/metrics");
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return Number(line?.split(" ").at(-1) ?? 0);
};
const closedFor = (reason: string) => metric(`typeplane_connections_closed_total{reason="${reason}"}`);

/** Connections of this machine to a port whose peer has left, in the state CLOSE_WAIT. */
function leftBehind(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const CLOSE_WAIT = "08";
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address = "", , state]) => address.endsWith(local) && state === CLOSE_WAIT).length;
}

const openMany = (count: number) => Promise.all(Array.from({ length: count }, () => RawConnection.tcp(target())));

describe("connections that do not finish their handshake", () => {
  serve({ "tls-handshake-timeout": "1s" });

  it("are closed after the timeout, whether they send nothing, a part of it, or single bytes", async () => {
    const [silent, half, trickling] = await openMany(3);
    half?.write(HALF_HELLO);
    trickling?.write(HALF_HELLO);
    const timer = setInterval(() => trickling?.write(Buffer.from([0])), 100);
    for (const connection of [silent, half, trickling]) expect(await connection?.isClosedWithin(SOON_MS)).toBe(true);
    clearInterval(timer);
    expect(await closedFor("handshake_timeout")).toBeGreaterThan(0);
  });

  it("leave no open sockets behind, however many they are", async () => {
    const connections = await openMany(300);
    for (const [index, connection] of connections.entries()) {
      if (index % 3 === 0) connection.write(HALF_HELLO);
      if (index % 3 === 1) connection.write("GET / HTTP/1.1\r\n\r\n");
      connection.socket.end();
    }
    await Promise.all(connections.map(({ closed }) => closed));
    await expect.poll(() => metric("typeplane_open_connections"), { timeout: SOON_MS }).toBeLessThan(5);
    if (process.platform === "linux") expect(leftBehind(target().port)).toBe(0);
    expect(await metric("apiserver_tls_handshake_errors_total")).toBeGreaterThanOrEqual(300);
  });
});

describe("beyond the limit of handshakes", () => {
  serve({ "max-tls-handshakes": "10" });

  it("the oldest is closed, and clients that finish the handshake are served", async () => {
    const connections = await openMany(50);
    await expect.poll(() => connections.filter(({ socket }) => socket.destroyed).length, { timeout: SOON_MS }).toBe(40);
    expect((await call("GET", "/version")).status).toBe(200);
    expect(await closedFor("handshake_limit")).toBeGreaterThanOrEqual(40);
    for (const connection of connections) connection.close();
  });
});

describe("beyond the limit of connections", () => {
  serve({ "max-connections": "32" });

  it("idle connections are closed, and a watch goes on", async () => {
    const watch = await RawConnection.tls(target());
    const path = "/api/v1/namespaces/default/configmaps?watch=true";
    watch.write(`GET ${path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${plane.client.token}\r\n\r\n`);
    await watch.receive((received) => received.includes("HTTP/1.1 200"));
    const connections: RawConnection[] = [];
    for (let index = 0; index < 100; index += 1) {
      connections.push(await (index % 2 === 0 ? RawConnection.tls(target()) : RawConnection.tcp(target())));
    }
    expect((await call("GET", "/version")).status).toBe(200);
    expect(watch.socket.destroyed).toBe(false);
    expect(await metric("typeplane_open_connections")).toBeLessThanOrEqual(32);
    expect(await closedFor("connection_limit")).toBeGreaterThan(50);
    for (const connection of [...connections, watch]) connection.close();
  });

  it("a new connection is refused if all are busy", async () => {
    const watches: RawConnection[] = [];
    const path = "/api/v1/namespaces/default/configmaps?watch=true";
    for (let index = 0; index < 40; index += 1) {
      const connection = await RawConnection.tls(target());
      connection.write(`GET ${path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${plane.client.token}\r\n\r\n`);
      await connection.receive((received) => received.includes("HTTP/1.1 200"));
      watches.push(connection);
    }
    const served = watches.filter(({ text }) => statusesIn(text)[0] === 200);
    expect(served.length).toBeGreaterThanOrEqual(30);
    expect(served.every(({ socket }) => !socket.destroyed)).toBe(true);
    expect(served.length).toBeLessThanOrEqual(32);
    for (const connection of watches) connection.close();
    await expect.poll(async () => (await call("GET", "/version").catch(() => undefined))?.status).toBe(200);
  });
});

describe("many connections", () => {
  serve({ "max-tls-handshakes": "0" });

  it("may leave smaller headers unfinished than few, so that all together do not fill the memory", async () => {
    const statusOf = async (bytes: number): Promise<number | undefined> => {
      const connection = await RawConnection.tls(target());
      connection.write(`GET /version HTTP/1.1\r\nHost: here\r\nConnection: close\r\nX-A: ${"a".repeat(bytes)}\r\n\r\n`);
      await connection.closed;
      return statusesIn(connection.text)[0];
    };
    expect(await statusOf(700_000)).toBe(200);
    const connections = await openMany(1024);
    expect(await statusOf(700_000)).toBe(431);
    expect(await statusOf(400_000)).toBe(200);
    for (const connection of connections) connection.close();
    await expect.poll(() => statusOf(700_000), { timeout: SOON_MS }).toBe(200);
  });
});

describe("a TLS session", () => {
  serve({});

  it.each<SecureVersion>(["TLSv1.2", "TLSv1.3"])(
    "of %s is never resumed: the client certificate of the first would not be checked again",
    async (maxVersion) => {
      let session: Buffer | undefined;
      const { clientCertificate: cert, clientKey: key } = plane.client;
      for (let round = 0; round < 3; round += 1) {
        const socket = connect({
          ...target(),
          rejectUnauthorized: false,
          maxVersion,
          cert,
          key,
          ...(session && { session }),
        });
        socket.on("session", (each: Buffer) => {
          session = each;
        });
        const connection = new RawConnection(socket);
        connection.write("GET /version HTTP/1.1\r\nHost: here\r\n\r\n");
        await connection.receive((received) => received.includes("gitVersion"));
        expect(connection.text).toContain("gitVersion");
        expect(socket.isSessionReused()).toBe(false);
        connection.close();
      }
    },
  );
});

describe("a server that may open no more files", () => {
  let directory: string;
  let server: ServerProcess;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "typeplane-files-"));
    const flags = [
      "--max-connections=100000",
      "--max-tls-handshakes=0",
      "--tls-handshake-timeout=5s",
      "--controllers=false",
    ];
    server = await ServerProcess.started({ directory, flags, openFiles: 128 });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it("keeps running, logs it rarely, and accepts connections again when files are closed", async () => {
    const place = { host: "127.0.0.1", port: server.port };
    const connections = await Promise.all(Array.from({ length: 300 }, () => RawConnection.tcp(place)));
    await new Promise((resolve) => setTimeout(resolve, 4000));
    for (const connection of connections) connection.close();
    const version = async () => {
      const connection = await RawConnection.tls(place);
      connection.write("GET /version HTTP/1.1\r\nHost: here\r\n\r\n");
      await connection.receive((received) => received.includes("gitVersion"), 2000);
      connection.close();
      return statusesIn(connection.text)[0];
    };
    await expect.poll(version, { timeout: SOON_MS }).toBe(200);
    expect(server.log.split("\n").length).toBeLessThan(60);
  });
});
