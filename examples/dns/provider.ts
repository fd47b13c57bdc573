import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts a DNS provider for tests, which keeps a zone in memory and fails on demand. */
export async function startProvider() {
  const zone = new Map<string, readonly string[]>();
  const provider = { zone, url: "", failures: 0, stop: () => new Promise<unknown>((resolve) => server.close(resolve)) };
  const server = createServer(async (request, response) => {
    const host = decodeURIComponent((request.url ?? "").split("/").at(-1) ?? "");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.setHeader("Connection", "close");
    if (provider.failures > 0) {
      provider.failures--;
      response.writeHead(503).end();
    } else if (request.method === "DELETE") {
      response.writeHead(zone.delete(host) ? 200 : 404).end();
    } else {
      zone.set(host, (JSON.parse(Buffer.concat(chunks).toString()) as { addresses: string[] }).addresses);
      response.writeHead(200).end();
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/zones/example.com`;
  return provider;
}
