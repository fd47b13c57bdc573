import { createSecureContext, getCiphers } from "node:tls";
import type { TlsConfig } from "../server/server-config.ts";
import { type FlagValues, UsageError } from "./parse-flags.ts";
import { readFlagFile } from "./read-flag-file.ts";

const VERSIONS: Readonly<Record<string, TlsConfig["minVersion"]>> = {
  VersionTLS10: "TLSv1",
  VersionTLS11: "TLSv1.1",
  VersionTLS12: "TLSv1.2",
  VersionTLS13: "TLSv1.3",
};

/** Certificate, TLS versions and HTTP/2 settings of the server. */
export function readTls(flags: FlagValues): TlsConfig {
  const read = (flag: string): string | undefined => {
    const path = flags.string(flag);
    return path === undefined ? undefined : readFlagFile(flag, path);
  };
  const certificate = read("tls-cert-file");
  const key = read("tls-private-key-file");
  if ((certificate === undefined) !== (key === undefined)) {
    throw new UsageError("--tls-cert-file and --tls-private-key-file must be specified together");
  }
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    throw new UsageError(`--tls-cert-file, --tls-private-key-file: ${(error as Error).message}`);
  }
  const version = flags.choice("tls-min-version", Object.keys(VERSIONS));
  return {
    certificate,
    key,
    minVersion: VERSIONS[version] ?? "TLSv1.2",
    ciphers: flags.list("tls-cipher-suites").map(openSslName).join(":"),
    http2: !flags.boolean("disable-http2-serving"),
    maxStreams: flags.number("http2-max-streams-per-connection") || DEFAULT_STREAMS,
  };
}

const DEFAULT_STREAMS = 100;

/** `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` as OpenSSL writes it, `ECDHE-RSA-AES128-GCM-SHA256`; those of TLS 1.3 stay. */
function openSslName(suite: string): string {
  const [exchange = "", cipher] = suite.replace(/^TLS_/, "").split("_WITH_");
  const name =
    cipher === undefined
      ? suite
      : `${exchange === "RSA" ? "" : `${exchange}_`}${cipher}`
          .replace(/AES_(\d+)/, "AES$1")
          .replace("_CBC", "")
          .replace(/(POLY1305)_SHA256$/, "$1")
          .replaceAll("_", "-");
  if (!getCiphers().includes(name.toLowerCase())) {
    throw new UsageError(`Cipher suite ${suite} not supported or doesn't exist`);
  }
  return name;
}
