import { connect } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
let plane: Plane;

beforeAll(async () => {
  plane = await startPlane({ flags: { controllers: "false" } });
});

afterAll(() => plane.stop());

/** Like many clients, first sends everything in parts, and only then reads the response. */
function sendThenRead(body: Buffer): Promise<string> {
  const { host, port, hostname } = new URL(plane.client.server);
  const head = [
    `POST ${MAPS} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${plane.client.token}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), ca: plane.client.certificateAuthority }, () => {
      socket.write(`${head.join("\r\n")}\r\n\r\n`);
      const send = (from: number): void => {
        const piece = body.subarray(from, from + 64 * 1024);
        if (piece.length > 0) socket.write(piece, () => setImmediate(send, from + piece.length));
        else
          socket.once("data", (answer: Buffer) => {
            resolve(answer.toString());
            socket.destroy();
          });
      };
      send(0);
    });
    socket.once("error", reject);
  });
}

it("a client that sends a too large body completely before it reads gets the 413 response", async () => {
  for (const megabytes of [4, 8, 16]) {
    const answer = await sendThenRead(Buffer.alloc(megabytes * 1024 * 1024, "y"));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain("Request entity too large: limit is 3145728");
  }
});
