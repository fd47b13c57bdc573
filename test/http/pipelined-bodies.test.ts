import { connect } from "node:tls";
import { expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call, running } = servePlane();
const MAPS = "/api/v1/namespaces/default/configmaps";

it("reads the body of a request that arrives over TLS before the client has read the response to the request before it", async () => {
  const value = "0123456789abcdef".repeat(50_000);
  await call("POST", MAPS, { body: { metadata: { name: "large" }, data: { value } } });
  const { server, certificateAuthority, token } = running().client;
  const { hostname, port } = new URL(server);
  const headers = `Host: here\r\nAuthorization: Bearer ${token}\r\n`;
  const body = JSON.stringify({ metadata: { generateName: "next-" }, data: { value: value.slice(0, 400_000) } });
  const reads = `GET ${MAPS}/large HTTP/1.1\r\n${headers}\r\n`.repeat(10);
  const write = `POST ${MAPS} HTTP/1.1\r\n${headers}Content-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const received = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port), ca: certificateAuthority }, () => {
      socket.pause();
      socket.write(reads);
      // The responses fill the buffers of both sides before any of them is read.
      setTimeout(() => socket.write(write), 400);
      setTimeout(() => socket.resume(), 800);
    });
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
  });
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual([...Array(10).fill("HTTP/1.1 200"), "HTTP/1.1 201"]);
});
