import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

// Imported as an ES module, node:http would load all of undici for exports that are not used here.
const { createServer } = process.getBuiltinModule("node:http");

/** A port on all addresses or on one host. Port 0 selects a free port. */
export type Listen = number | { readonly port: number; readonly host?: string };

/** Throws or rejects if the check fails. */
export type HealthCheck = () => unknown;

export interface Page {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export type Pages = Readonly<Record<string, () => Page | Promise<Page>>>;

const LIMIT_MS = 10_000;
const MOST_CONNECTIONS = 100;

/** Serves pages by path over HTTP. Resolves when the server listens. */
export async function servePages(listen: Listen, pages: Pages): Promise<Server> {
  const server = createServer({ requestTimeout: LIMIT_MS, headersTimeout: LIMIT_MS }, (request, response) => {
    const path = (request.url ?? "").replace(/\?.*/s, "");
    const page = request.method === "GET" && Object.hasOwn(pages, path) ? pages[path] : undefined;
    const missing: Page = { status: 404, type: "text/plain; charset=utf-8", text: "not found\n" };
    Promise.resolve(page?.() ?? missing)
      .catch((error: unknown): Page => ({ ...missing, status: 500, text: `${String(error)}\n` }))
      .then(({ status, type, text }) => response.writeHead(status, { "Content-Type": type }).end(text));
  });
  server.maxConnections = MOST_CONNECTIONS;
  const { port, host } = typeof listen === "number" ? { port: listen, host: undefined } : listen;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, ...(host !== undefined && { host }) }, resolve);
  });
  return server;
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

/** Returns a page with the result of each check. Its status is 200 if all succeed, otherwise 500. */
export async function healthPage(checks: Readonly<Record<string, HealthCheck>>): Promise<Page> {
  const lines = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await check();
        return `[+]${name} ok`;
      } catch (error) {
        return `[-]${name} failed: ${error instanceof Error ? error.message : String(error)}`;
      }
    }),
  );
  const isGood = lines.every((line) => line.startsWith("[+]"));
  const text = [...lines, isGood ? "ok" : "failed", ""].join("\n");
  return { status: isGood ? 200 : 500, type: "text/plain; charset=utf-8", text };
}
