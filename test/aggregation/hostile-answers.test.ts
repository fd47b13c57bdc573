import { once } from "node:events";
import { connect, constants } from "node:http2";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuthority } from "../fixtures/certificates.ts";
import { servePlane } from "../fixtures/serve-plane.ts";
import { availability, register } from "./extension-server.ts";

const { call, running } = servePlane();
const ECHO = "/apis/echo.example.com/v1";
const FINE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
let server: Server;
/** Bytes that the extension server sends to clients before it closes the connection. */
let said = FINE;

beforeAll(async () => {
  const { authority, issue } = createAuthority("extensions");
  server = createServer(issue("ext", "server", { names: ["ext.default.svc"] }), (socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => socket.end(/x-remote-user: admin/i.test(bytes.toString()) ? said : FINE, "latin1"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await availability(call, await register(call, { port, authority }), "Passed");
});

afterAll(() => void server.close());

/** Expected response to the client. */
async function answerTo(bytes: string): Promise<readonly [number, string]> {
  said = bytes;
  const { status, text } = await call("GET", `${ECHO}/things`).catch((error: Error) => ({
    status: 0,
    text: error.message,
  }));
  return [status, text];
}

describe("an invalid response of an extension server", () => {
  it.each([
    ["no status", "HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x"],
    ["a length and chunks", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}"],
    ["a header that goes on", "HTTP/1.1 200 OK\r\nX-A: a\x00b\r\nContent-Length: 2\r\n\r\n{}"],
    [
      "another protocol that nobody asked for",
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
    ],
    ["no HTTP", "hello\r\n\r\n"],
  ])("with %s is reported with a clear message", async (_what, bytes) => {
    const [status, text] = await answerTo(bytes);
    expect([status, text.startsWith("error trying to reach service: ")]).toEqual([503, true]);
  });

  it("ends after its Content-Length", async () => {
    expect(await answerTo("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n\r\nmore")).toEqual([
      200,
      "{}",
    ]);
  });

  it("does not affect the server", async () => {
    expect(await answerTo(FINE)).toEqual([200, "{}"]);
  });

  it.each([
    ["a status that HTTP/2 does not have", "HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\n{}"],
    [
      "headers of the connection",
      "HTTP/1.1 200 OK\r\nHTTP2-Settings: x\r\nProxy-Connection: x\r\nContent-Length: 2\r\n\r\n{}",
    ],
    ["a pseudo-header", "HTTP/1.1 200 OK\r\nstatus: 7\r\nTE: x\r\nContent-Length: 2\r\n\r\n{}"],
  ])("with %s affects no other request, over HTTP/1.1 and HTTP/2", async (_what, bytes) => {
    said = bytes;
    const { server: url, certificateAuthority: ca, token } = running().client;
    const session = connect(url, { ca });
    const stream = session.request({ ":path": `${ECHO}/things`, authorization: `Bearer ${token}` });
    const [headers] = (await once(stream, "response")) as [{ ":status": number }];
    expect([200, 503]).toContain(headers[":status"]);
    session.destroy();
    await running()
      .fetch(`${ECHO}/things`)
      .then(
        (answer) => answer.text(),
        (error: Error) => error.message,
      );
    expect(await answerTo(FINE)).toEqual([200, "{}"]);
  });

  it("resets the stream over HTTP/2", async () => {
    said = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{";
    const { server: url, certificateAuthority: ca, token } = running().client;
    const session = connect(url, { ca });
    const stream = session.request({ ":path": `${ECHO}/things`, authorization: `Bearer ${token}` });
    stream.setEncoding("utf8");
    let text = "";
    stream.on("data", (piece: string) => {
      text += piece;
    });
    const [error] = await once(stream, "error").catch((problem: Error) => [problem]);
    expect([text, stream.rstCode, (error as Error).message]).toEqual([
      "{",
      constants.NGHTTP2_INTERNAL_ERROR,
      "Stream closed with error code NGHTTP2_INTERNAL_ERROR",
    ]);
    session.destroy();
  });
});
