import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Target } from "./server-process.ts";

interface Kubeconfig {
  readonly "current-context": string;
  readonly contexts: readonly { name: string; context: { cluster: string; user: string } }[];
  readonly clusters: readonly { name: string; cluster: Record<string, string> }[];
  readonly users: readonly { name: string; user: Record<string, string> }[];
}

/** Returns another server, given by a kubeconfig, with its processes. Only a server on loopback may be measured. */
export function peerTarget(path: string, pids: readonly number[]): Target {
  const config = parse(readFileSync(path, "utf8")) as Kubeconfig;
  const context = config.contexts.find(({ name }) => name === config["current-context"])?.context;
  const cluster = config.clusters.find(({ name }) => name === context?.cluster)?.cluster;
  const user = config.users.find(({ name }) => name === context?.user)?.user ?? {};
  const url = cluster?.server ?? "";
  if (!/^https:\/\/(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:|\/|$)/.test(url)) {
    throw new Error(`${path}: "${url}" is not on this machine: the load is meant for loopback only`);
  }
  return {
    url: url.replace(/\/$/, ""),
    headers: user.token ? { authorization: `Bearer ${user.token}` } : {},
    tls: {
      ...pem("ca", cluster?.["certificate-authority-data"], cluster?.["certificate-authority"]),
      ...pem("cert", user["client-certificate-data"], user["client-certificate"]),
      ...pem("key", user["client-key-data"], user["client-key"]),
    },
    pids,
    stop: async () => undefined,
  };
}

function pem(name: "ca" | "cert" | "key", data: string | undefined, file: string | undefined): Target["tls"] {
  if (data !== undefined) return { [name]: Buffer.from(data, "base64") };
  return file === undefined ? {} : { [name]: readFileSync(file) };
}
