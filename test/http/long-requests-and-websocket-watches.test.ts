import { connect as connectHttp2 } from "node:http2";
import { connect, type TLSSocket } from "node:tls";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call, running } = servePlane();
const MAPS = "/api/v1/namespaces/default/configmaps";
const LONG = `labelSelector=${encodeURIComponent(Array.from({ length: 4000 }, (_, n) => `a!=${n}`).join(","))}`;

/** The empty frame with which a WebSocket is closed. */
const CLOSE_FRAME = Buffer.of(0x88, 0);

/** Sends bytes on a separate connection and reads until the server ends it. */
function exchange(text: string): Promise<string> {
  const { client } = running();
  const { hostname: host, port } = new URL(client.server);
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ host, port: Number(port), ca: client.certificateAuthority }, () =>
      socket.write(text),
    );
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (chunk.subarray(-2).equals(CLOSE_FRAME)) socket.write(Buffer.of(0x88, 0x80, 0, 0, 0, 0));
    });
    socket.on("end", () => {
      socket.end();
      resolve(Buffer.concat(chunks).toString("latin1"));
    });
    socket.on("error", reject);
  });
}

const credentials = () => `Host: x\r\nAuthorization: Bearer ${running().client.token}\r\n`;

describe("a long request", () => {
  it("may have selectors and headers as long as Go's HTTP server accepts", async () => {
    expect((await call("GET", `${MAPS}?${LONG}`, { headers: { "X-Long": "x".repeat(100_000) } })).status).toBe(200);
  });

  it("may have headers of up to 64 KiB each over HTTP/2", async () => {
    const { client } = running();
    const session = connectHttp2(client.server, {
      ca: client.certificateAuthority,
      maxSendHeaderBlockLength: 2 ** 20,
    });
    const stream = session.request({
      ":path": `${MAPS}?${LONG}`,
      authorization: `Bearer ${client.token}`,
      "x-long": "x".repeat(60_000),
    });
    const status = await new Promise((resolve, reject) => {
      stream.on("response", (headers) => resolve(headers[":status"]));
      stream.on("error", reject);
    });
    session.destroy();
    expect(status).toBe(200);
  });
});

describe("an HTTP request", () => {
  it("may have an absolute URL as its target, as proxies send it", async () => {
    const answer = await exchange(`GET https://x${MAPS}?limit=1 HTTP/1.1\r\n${credentials()}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 200 OK/);
  });

  it("gets no response in a content coding that Accept-Encoding excludes", async () => {
    for (const name of Array.from({ length: 3 }, (_, n) => `large-${n}`)) {
      await call("POST", MAPS, { body: { metadata: { name }, data: { a: "x".repeat(100_000) } } });
    }
    const encoding = async (accepted: string) =>
      (await call("GET", MAPS, { headers: { "Accept-Encoding": accepted } })).headers["content-encoding"];
    expect(await encoding("br, gzip")).toBe("gzip");
    expect(await encoding("gzip;q=0.5")).toBe("gzip");
    expect(await encoding("gzip;q=0, identity")).toBeUndefined();
  });
});

describe("a watch over WebSocket", () => {
  const open = (query: string, protocols: string[], accept = "application/json", origin = "https://example.com") =>
    new WebSocket(`${running().client.server.replace("https", "wss")}${MAPS}?watch=1&${query}`, protocols, {
      ca: running().client.certificateAuthority,
      headers: { Authorization: `Bearer ${running().client.token}`, Accept: accept },
      ...(origin !== "" && { origin }),
    });
  const first = (socket: WebSocket) =>
    new Promise<Buffer>((resolve, reject) => {
      socket.once("message", (data) => resolve(data as Buffer));
      socket.once("error", reject);
      socket.once("close", (code) => reject(new Error(`closed with ${code} before a message`)));
    });

  it("is refused without an Origin header that is a URL, as kube-apiserver does", async () => {
    for (const origin of ["", "null"])
      await expect(first(open("", [], "application/json", origin))).rejects.toThrow("Unexpected server response: 403");
  });

  it("selects an offered subprotocol, but never the one with the bearer token", async () => {
    const token = `base64url.bearer.authorization.k8s.io.${Buffer.from(running().client.token).toString("base64url")}`;
    const socket = open("", [token, "base64.binary.k8s.io"]);
    await first(socket);
    expect(socket.protocol).toBe("base64.binary.k8s.io");
    socket.close();
  });

  it("sends each protobuf event as a message without a length prefix", async () => {
    const socket = open("", [], "application/vnd.kubernetes.protobuf");
    expect((await first(socket)).subarray(0, 7).toString("latin1")).toBe("\n\u0005ADDED");
    socket.close();
  });

  it("sends the protobuf event of a large object so, too", async () => {
    const data = { text: "x".repeat(200_000) };
    const metadata = { generateName: "large-" };
    const { body } = await call("POST", MAPS, { body: { apiVersion: "v1", kind: "ConfigMap", metadata, data } });
    const query = `fieldSelector=metadata.name%3D${body.metadata.name}`;
    const socket = open(query, [], "application/vnd.kubernetes.protobuf");
    const message = await first(socket);
    expect(message.length).toBeGreaterThan(200_000);
    expect(message.subarray(0, 7).toString("latin1")).toBe("\n\u0005ADDED");
    socket.close();
  });

  it("ends with an empty close frame", async () => {
    const answer = await exchange(
      `GET ${MAPS}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=nobody HTTP/1.1\r\n${credentials()}Origin: https://x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}\r\n\r\n`,
    );
    expect(answer.split("\r\n\r\n").slice(1)).toEqual(["\u0088\u0000"]);
  });
});
