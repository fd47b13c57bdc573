import { expect, it } from "vitest";
import { crowdedServer } from "./crowded-server.ts";
import { RawConnection } from "./raw-connection.ts";

/* Bodies in chunks and frames of one byte: each takes hundreds of bytes, and microseconds, unless they are joined. */

const MAPS = "/api/v1/namespaces/default/configmaps?dryRun=All";
const server = crowdedServer();

const BYTES = 60_000;
const body = JSON.stringify({ metadata: { name: "tiny" }, data: { value: "x".repeat(BYTES) } });

it("handles bodies in chunks of one byte, and serves others meanwhile", async () => {
  const head = `POST ${MAPS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer alice-token\r\nContent-Type: application/json\r\n`;
  const connections = await Promise.all(
    Array.from({ length: 3 }, () => RawConnection.tls({ host: "127.0.0.1", port: server.process.port })),
  );
  const chunks = [...body].map((byte) => `1\r\n${byte}\r\n`).join("");
  for (const connection of connections) connection.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks}`);
  for (let n = 0; n < 5; n++) expect((await server.call("bob", "GET", MAPS)).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (const connection of connections) connection.write("0\r\n\r\n");
  await Promise.all(connections.map((connection) => connection.receive((received) => received.length > 0)));
  expect(connections.map(({ text }) => text.slice(0, 20))).toEqual(Array(3).fill("HTTP/1.1 201 Created"));
  for (const connection of connections) connection.close();
});

it("reads the rest of a refused body in chunks of one byte", async () => {
  const connection = await RawConnection.tls({ host: "127.0.0.1", port: server.process.port });
  connection.write(
    `POST ${MAPS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nobody\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  for (let n = 0; n < 10; n++) connection.write("1\r\nx\r\n".repeat(10_000));
  connection.write("0\r\n\r\nGET /version HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer bob-token\r\n\r\n");
  await connection.receive(() => connection.text.includes("gitVersion"));
  expect([...connection.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(["401", "200"]);
  connection.close();
});

it("handles bodies in HTTP/2 frames of one byte", async () => {
  const stream = server.session().request({
    ":method": "POST",
    ":path": MAPS,
    authorization: "Bearer alice-token",
    "content-type": "application/json",
  });
  const small = JSON.stringify({ metadata: { name: "tiny" }, data: { value: "x".repeat(20_000) } });
  for (const byte of small) stream.write(byte);
  stream.end();
  const status = await new Promise((resolve) => stream.once("response", (headers) => resolve(headers[":status"])));
  expect(status).toBe(201);
});
