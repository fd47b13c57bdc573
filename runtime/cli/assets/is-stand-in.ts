import { get as getHttp } from "node:http";
import { get as getHttps } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import type { EtcdConfig } from "../../store/open-store.ts";
import { STAND_IN } from "./etcd-stand-in.ts";

const RETRY_MS = 50;
/** How long an etcd may take to listen; afterwards the store itself tries, and explains the failure. */
const PATIENCE_MS = 5_000;
const LONGEST_RESPONSE = 65_536;

/** Whether the etcd of the configuration is the stand-in, which says so in its response to `/version`. */
export async function isStandIn({ servers, ...tls }: EtcdConfig): Promise<boolean> {
  const [server = ""] = servers;
  const url = new URL("/version", server);
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await delay(RETRY_MS)) {
    try {
      const version: unknown = JSON.parse(await read(url, tls));
      return typeof version === "object" && version !== null && STAND_IN in version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ECONNREFUSED") return false;
    }
  }
  return false;
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
