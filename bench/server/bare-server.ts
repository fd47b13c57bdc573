/**
 * The floor: a plain `node:https` server that returns bytes from memory and does nothing else. Arguments: key file,
 * certificate file, then one file per path it answers (`/0`, `/1` …).
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

const [key, cert, ...files] = process.argv.slice(2);
const bodies = new Map(files.map((file, index) => [`/${index}`, readFileSync(file)]));
const server = createServer({ key: readFileSync(key!), cert: readFileSync(cert!) }, (request, response) => {
  const body = bodies.get(request.url ?? "");
  if (body === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => console.log(`https://127.0.0.1:${(server.address() as AddressInfo).port}`));
