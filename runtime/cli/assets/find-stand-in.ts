import { get as getHttps } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import type { EtcdConfig } from "../../store/open-store.ts";
import { STAND_IN } from "./etcd-stand-in.ts";

// As a module of ECMAScript, node:http loads all of undici for exports nobody here uses.
const { get: getHttp } = process.getBuiltinModule("node:http");

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

function read(url: URL, { authority, certificate, key }: Omit<EtcdConfig, "servers">): Promise<string> {
  const get = url.protocol === "https:" ? getHttps : getHttp;
  return new Promise((resolve, reject) => {
    const options = { agent: false, timeout: PATIENCE_MS, ca: authority, cert: certificate, key };
    const request = get(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        if (text.length > LONGEST_RESPONSE) request.destroy(new Error("too long"));
      });
      response.once("end", () => resolve(text));
      response.once("error", reject);
    });
    request.once("timeout", () => request.destroy(new Error("timeout")));
    request.once("error", reject);
  });
}
