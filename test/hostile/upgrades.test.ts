import { describe, expect, it } from "vitest";
import { RawConnection, statusesIn, targetOf } from "./raw-connection.ts";
import { serveWithoutErrors } from "./serve-without-errors.ts";

const { client, call, watches } = serveWithoutErrors();

const open = () => RawConnection.tls(targetOf(client().server));
const authorization = () => `Authorization: Bearer ${client().token}\r\n`;
const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: here\r\n${headers}\r\n`;
const UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
const KEY = `${UPGRADE}Origin: https://here\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}\r\n`;

/** Sends bytes. Returns all received data until the server closes the connection or sends nothing more. */
async function exchange(bytes: string, until: (text: string) => boolean = () => false): Promise<string> {
  const connection = await open();
  connection.write(bytes);
  await connection.receive((received) => until(received.toString("latin1")), 60_000);
  connection.close();
  return connection.text;
}

describe("requests to switch protocols that are pipelined", () => {
  it("are answered in order behind an unfinished response, and end the connection", async () => {
    const connection = await open();
    connection.write(get("/version") + get("/version", UPGRADE) + get("/healthz", KEY + authorization()));
    expect(await connection.isClosedWithin(10_000)).toBe(true);
    expect(statusesIn(connection.text)).toEqual([200, 200]);
    expect(connection.text.indexOf("gitVersion")).toBeLessThan(connection.text.lastIndexOf("HTTP/1.1"));
  });

  it("wait behind a watch without affecting other connections", async () => {
    const path = "/api/v1/namespaces/default/configmaps?watch=true&timeoutSeconds=1";
    const headers = authorization();
    const text = await exchange(get(path, headers) + get("/version", KEY), (all) => statusesIn(all).length === 2);
    expect(statusesIn(text)).toEqual([200, 200]);
    expect((await call("GET", "/version")).status).toBe(200);
  });

  it("do not start a watch twice, and leave none behind when the connection is cut", async () => {
    const path = "/api/v1/namespaces/default/configmaps?watch=true";
    const connection = await open();
    connection.write((get(path, authorization()) + get(path, KEY + authorization())).repeat(3));
    await connection.receive((received) => received.includes("HTTP/1.1 200"));
    expect(await watches()).toBe(1);
    connection.write("CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n");
    connection.close();
    await expect.poll(watches, { timeout: 120_000 }).toBe(0);
  });
});

describe("a request to switch protocols", () => {
  it("is answered as any other where the path does not switch, and its connection closed", async () => {
    const connection = await open();
    connection.write(get("/version", UPGRADE) + get("/version"));
    expect(await connection.isClosedWithin(10_000)).toBe(true);
    expect(statusesIn(connection.text)).toEqual([200]);
    expect(connection.text).toContain("Connection: close");
  });

  it("may have a body like any other request", async () => {
    const body = '{"metadata":{"name":"with-upgrade"}}';
    const headers = `${KEY}${authorization()}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const text = await exchange(
      `POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: here\r\n${headers}\r\n${body}`,
      (all) => all.includes("with-upgrade"),
    );
    expect(statusesIn(text)).toEqual([201]);
    const chunked = `${KEY}${authorization()}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n`;
    const again = await exchange(
      `POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: here\r\n${chunked}\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      (all) => all.includes("with-upgrade"),
    );
    expect(statusesIn(again)).toEqual([409]);
  });

  it("may be followed by any bytes, or by none", async () => {
    const watch = get("/api/v1/namespaces/default/configmaps?watch=true", KEY + authorization());
    for (const rest of ["\0".repeat(1000), get("/version"), "FOO / HTTP/1.1\r\n\r\n"]) {
      const connection = await open();
      connection.write(watch + rest);
      expect(await connection.isClosedWithin(40_000)).toBe(true);
    }
    for (let index = 0; index < 20; index += 1) {
      const connection = await open();
      connection.write(watch);
      connection.close();
    }
    expect((await call("GET", "/version")).status).toBe(200);
    await expect.poll(watches, { timeout: 120_000 }).toBe(0);
  });

  it("may be written as one of HTTP/2 in the request line, which changes nothing", async () => {
    const connection = await open();
    connection.write(`${get("/version")}CONNECT example.com:443 HTTP/2.0\r\nHost: example.com\r\n\r\n`);
    expect(await connection.isClosedWithin(10_000)).toBe(true);
    const alone = await exchange("CONNECT example.com:443 HTTP/2.0\r\nHost: example.com\r\n\r\n");
    expect(statusesIn(alone)).toHaveLength(1);
    const pipelined = get("/version") + get("/version", UPGRADE).replace("HTTP/1.1", "HTTP/2.0");
    expect(statusesIn(await exchange(pipelined, (all) => statusesIn(all).length === 2))).toEqual([200, 200]);
  });

  it("may be CONNECT, which no path has", async () => {
    const text = await exchange("CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n");
    expect(statusesIn(text)[0]).toBeGreaterThanOrEqual(400);
  });
});

describe("unknown methods", () => {
  it("are answered behind the responses before them", async () => {
    const connection = await open();
    connection.write(get("/version"));
    connection.write(`FOO /healthz HTTP/1.1\r\nHost: here\r\n${authorization()}\r\n`);
    expect(await connection.isClosedWithin(10_000)).toBe(true);
    expect(statusesIn(connection.text)).toEqual([200, 200]);
    const together = await exchange(`${get("/version")}FOO /healthz HTTP/1.1\r\nHost: here\r\n\r\n`);
    expect(statusesIn(together)).toEqual([200, 405]);
    expect(together.lastIndexOf("HTTP/1.1")).toBeGreaterThan(together.indexOf("gitVersion"));
  });

  it("may have a body that comes later, and end the connection", async () => {
    const connection = await open();
    connection.write(`FOO /healthz HTTP/1.1\r\nHost: here\r\n${authorization()}Content-Length: 20\r\n\r\n`);
    await connection.receive((received) => received.includes("HTTP/1.1"), 300);
    connection.write("GET /version HTTP/1.").write(get("/version"));
    expect(await connection.isClosedWithin(10_000)).toBe(true);
    expect(statusesIn(connection.text)).toEqual([200]);
  });

  it("are refused in order among broken requests, with the connection closed", async () => {
    const text = await exchange(`${get("/version")}GET /version HTTP/9.9\r\n\r\n${"x".repeat(5000)}`);
    expect(statusesIn(text)).toEqual([200, 400]);
    expect(text.lastIndexOf("HTTP/1.1")).toBeGreaterThan(text.indexOf("gitVersion"));
  });
});

describe("pipelined requests", () => {
  it("are handled one after another, so that each sees what those before it did", async () => {
    const body = '{"metadata":{"name":"first-then-read"}}';
    const headers = `${authorization()}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const path = "/api/v1/namespaces/default/configmaps";
    const text = await exchange(
      `POST ${path} HTTP/1.1\r\nHost: here\r\n${headers}\r\n${body}` +
        get(`${path}/first-then-read`, authorization()) +
        `DELETE ${path}/first-then-read HTTP/1.1\r\nHost: here\r\n${authorization()}\r\n` +
        get(`${path}/first-then-read`, authorization()),
      (all) => statusesIn(all).length === 4,
    );
    expect(statusesIn(text)).toEqual([201, 200, 200, 404]);
  });

  it("are refused by closing the connection where they are too many to wait", async () => {
    const connection = await open();
    connection.write(get("/api/v1/namespaces/default/configmaps?watch=true", authorization()));
    connection.write(get("/version").repeat(2000));
    expect(await connection.isClosedWithin(10_000)).toBe(true);
  });
});
