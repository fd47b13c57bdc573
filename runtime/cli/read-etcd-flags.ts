import { createSecureContext } from "node:tls";
import type { EtcdConfig } from "../store/open-store.ts";
import { type FlagValues, UsageError } from "./parse-flags.ts";
import { readFlagFile } from "./read-flag-file.ts";

/** A host and a port, with or without a scheme. */
const ENDPOINT = /^(https?:\/\/)?([^/:\s]+|\[[0-9a-fA-F:]+\]):\d{1,5}\/?$/;

/** Addresses and credentials of etcd; undefined without `--etcd-servers`. */
export function readEtcdFlags(flags: FlagValues): EtcdConfig | undefined {
  const read = (name: string): string | undefined => {
    const path = flags.string(name) ?? "";
    return path === "" ? undefined : readFlagFile(name, path);
  };
  const authority = read("etcd-cafile");
  const certificate = read("etcd-certfile");
  const key = read("etcd-keyfile");
  if ((certificate === undefined) !== (key === undefined))
    throw new UsageError("--etcd-certfile and --etcd-keyfile must be specified together");
  try {
    createSecureContext({ ca: authority, cert: certificate, key });
  } catch (error) {
    throw new UsageError(`--etcd-cafile, --etcd-certfile, --etcd-keyfile: ${(error as Error).message}`);
  }
  const servers = flags.list("etcd-servers");
  const odd = servers.find((server) => !ENDPOINT.test(server));
  if (odd !== undefined) throw new UsageError(`--etcd-servers=${odd}: write an address such as https://127.0.0.1:2379`);
  if (servers.length === 0) return undefined;
  return { servers, prefix: flags.string("etcd-prefix") ?? "/registry", authority, certificate, key };
}
