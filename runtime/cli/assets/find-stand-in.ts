import { connect, isIP, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { EtcdConfig } from "../../store/open-store.ts";
import { STAND_IN } from "./etcd-stand-in.ts";

const RETRY_MS = 50;
/** How long an etcd may take to listen; afterwards the store itself tries, and explains the failure. */
const PATIENCE_MS = 5_000;
const LONGEST_RESPONSE = 65_536;

/** The stand-in for etcd. */
export interface StandIn {
  /** Its `--data-dir`, where a server that stops leaves its objects for the next one. */
  readonly dataDir: string | undefined;
}

/** The etcd of the configuration, if it is the stand-in, which says so in its response to `/version`; undefined for a real etcd. */
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

/** One request without Node's client for HTTP, whose functions take longer to compile than all the rest of this file takes. */
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
    // In a response to HTTP/1.0, the body ends with the connection.
    socket.write(`GET ${url.pathname} HTTP/1.0\r\nHost: ${url.host}\r\n\r\n`);
  });
}
