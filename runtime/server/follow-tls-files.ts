import { followFile } from "../lib/follow-file.ts";
import { followKeyPair } from "../lib/follow-key-pair.ts";
import { readBundle } from "../x509/certificate-authorities.ts";
import type { ServerCore } from "./server-core.ts";
import type { TlsMaterial } from "./tls-material.ts";

/** Rereads the file of `--tls-cert-file` and the CA files of clients when they change, until the returned function is called. */
export function followTlsFiles({ config, tls, log }: Pick<ServerCore, "config" | "tls" | "log">): () => void {
  const failedFor = (flag: string) => (error: Error) => log("warn", `${flag}: ${error.message}`);
  const change = (flag: string, changed: Parameters<TlsMaterial["change"]>[0], what: string) => {
    tls.change(changed);
    log("info", `${flag}: new connections use the new ${what}`);
  };
  const stops: (() => void)[] = [];
  const { serving } = config.tls;
  if (serving !== undefined) {
    const flag = `--tls-cert-file=${serving.files.certificateFile}`;
    const changed = (pair: typeof serving.pair) => change(flag, { serving: pair }, "certificate");
    stops.push(followKeyPair(serving.files, serving.pair, { changed, failed: failedFor(flag) }));
  }
  for (const [name, file, key] of [
    ["client-ca-file", config.clientAuthority, "clients"],
    ["requestheader-client-ca-file", config.frontProxy?.authority, "frontProxies"],
  ] as const) {
    if (file === undefined) continue;
    const flag = `--${name}=${file.path}`;
    const failed = failedFor(flag);
    const changed = (pem: string) => {
      const problem = problemOf(pem);
      if (problem === undefined) change(flag, { [key]: pem }, "authorities");
      else failed(problem);
    };
    stops.push(followFile(file.path, file.contents, { changed, failed }));
  }
  return () => {
    for (const stop of stops) stop();
  };
}

/** Why a CA bundle cannot be used; undefined if it is valid. */
function problemOf(pem: string): Error | undefined {
  try {
    return readBundle(pem).length === 0 ? new Error("there is no certificate in it") : undefined;
  } catch (error) {
    return error as Error;
  }
}
