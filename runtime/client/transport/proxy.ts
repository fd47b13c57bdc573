import type { Agent } from "node:http";
import type { Agent as SecureAgent } from "node:https";
import { connectTls } from "../../outbound/connect-tls.ts";

// Imported as an ES module, node:http would load all of undici for exports that are not used here.
const { request } = process.getBuiltinModule("node:http");

type Created = (error: Error | null, socket?: unknown) => void;

/** Makes an agent open its connections through an HTTP proxy (`CONNECT`). */
export function connectThroughProxy(agent: SecureAgent, proxyUrl: string): Agent {
  const proxy = new URL(proxyUrl);
  if (proxy.protocol !== "http:") throw new Error(`proxy-url ${proxyUrl}: only http:// proxies are supported`);
  const { username, password } = proxy;
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
  const createConnection = (options: Record<string, unknown>, created: Created): undefined => {
    const target = `${String(options.host).includes(":") ? `[${options.host}]` : options.host}:${options.port}`;
    const outgoing = request({
      host: proxy.hostname,
      port: proxy.port || 80,
      method: "CONNECT",
      path: target,
      headers: { Host: target, ...(username !== "" && { "Proxy-Authorization": `Basic ${credentials}` }) },
    });
    outgoing.once("error", created);
    outgoing.once("connect", ({ statusCode }, socket) => {
      if (statusCode !== 200) {
        socket.destroy();
        created(new Error(`the proxy responded to CONNECT ${target} with ${statusCode}`));
        return;
      }
      const name = String(options.servername || options.host);
      const secured = connectTls({ ...options, socket, servername: name });
      secured.once("error", created);
      secured.once("secureConnect", () => {
        secured.off("error", created);
        created(null, secured);
      });
    });
    outgoing.end();
  };
  return Object.assign(agent, { createConnection });
}
