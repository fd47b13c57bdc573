import { connect, isIP, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { EtcdConfig } from "../../store/open-store.ts";
import { STAND_IN } from "./etcd-stand-in.ts";

const RETRY_MS = 50;
/** How long to wait for an etcd to listen. After that, the store itself connects, and explains the failure. */
const PATIENCE_MS = 5_000;
const LONGEST_RESPONSE = 65_536;

/** The stand-in for etcd. */
export interface StandIn {
  /** Its `--data-dir`, in which a stopping server stores its objects for the next one. */
  readonly dataDir: string | undefined;
}

/** Detects whether the configured etcd is the stand-in, which its response to `/version` shows. Returns undefined for a real etcd. */
export async function findStandIn({ servers, ...tls }: EtcdConfig): Promise<StandIn | undefined> {
  const [server = ""] = servers;
  const url = new URL("/version", server);
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await delay(RETRY_MS)) {
    try {
      const version = JSON.parse(await read(url, tls)) as { readonly [STAND_IN]?: Partial<StandIn> } | null;
      const found = version?.[STAND_IN];
      return found === undefined ? undefined : { dataDir: found.dataDir };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ECONNREFUSED") return undefined;
    }
  }
  return undefined;
}

/** Resolves with the body of a response. */
async function read(url: URL, { authority, client }: Omit<EtcdConfig, "servers">): Promise<string> {
  const [host, port] = [
    url.hostname.replace(/^\[|\]$/g, ""),
    Number(url.port || (url.protocol === "https:" ? 443 : 80)),
  ];
  if (url.protocol !== "https:") return exchange(connect({ host, port }), url);
  const tls = process.getBuiltinModule("node:tls");
  const identity = { ca: authority, cert: client?.pair.certificatePem, key: client?.pair.keyPem };
  return exchange(tls.connect({ host, port, ...(isIP(host) === 0 && { servername: host }), ...identity }), url);
}

/** Sends one request without the HTTP client of Node.js, whose functions take longer to compile than this whole file. */
function exchange(socket: Socket, url: URL): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.setEncoding("utf8");
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error("timeout")));
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (text.length > LONGEST_RESPONSE) socket.destroy(new Error("too long"));
    });
    socket.once("end", () => resolve(text.slice(text.indexOf("\r\n\r\n") + 4)));
    socket.once("error", reject);
    // With HTTP/1.0, the response body ends with the connection.
    socket.write(`GET ${url.pathname} HTTP/1.0\r\nHost: ${url.host}\r\n\r\n`);
  });
}
