/**
 * The baseline: a plain `node:https` server that only returns bytes from memory. If a request has a body, it first stores the body under the
 * path in bare LMDB, on disk. Arguments: key file, certificate file, data directory, then one file per path that it serves (`/0`, `/1` …).
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { open } from "lmdb";

const [key, cert, directory, ...files] = process.argv.slice(2);
const bodies = new Map(files.map((file, index) => [`/${index}`, readFileSync(file)]));
const database = open<Buffer, string>({
  path: directory!,
  encoding: "binary",
  overlappingSync: false,
  mapSize: 64 * 1024 ** 3,
});
let written = 0;

const server = createServer({ key: readFileSync(key!), cert: readFileSync(cert!) }, async (request, response) => {
  const body = bodies.get(request.url ?? "");
  if (body === undefined) {
    response.writeHead(404).end();
    return;
  }
  if (request.method !== "GET") {
    request.resume();
    await new Promise((resolve) => request.once("end", resolve));
    await database.put(`object-${written++}`, body);
  }
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});
// Keeps connections open while the other side has its turn.
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => console.log(`https://127.0.0.1:${(server.address() as AddressInfo).port}`));
