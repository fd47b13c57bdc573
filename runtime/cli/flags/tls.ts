import { getCiphers } from "node:tls";
import type { TlsConfig } from "../../server/server-config.ts";
import { UsageError } from "../usage-error.ts";
import { boolean, choice, file, fraction, keyPair, list, number } from "./flag.ts";
import { readOriginPattern } from "./origin-pattern.ts";
import { section } from "./section.ts";

const VERSIONS = {
  VersionTLS10: "TLSv1",
  VersionTLS11: "TLSv1.1",
  VersionTLS12: "TLSv1.2",
  VersionTLS13: "TLSv1.3",
} as const satisfies Record<string, TlsConfig["minVersion"]>;

/** Maximum value of `--goaway-chance`, as in kube-apiserver. */
const MOST_GOAWAYS = 0.02;
const DEFAULT_STREAMS = 100;

export const TLS = section(
  "TLS and HTTP",
  {
    certificate: file("tls-cert-file", {
      help: "Serving certificate, instead of the one generated in --cert-dir. Requires --tls-private-key-file. Reloaded when it changes.",
    }),
    key: file("tls-private-key-file", { help: "Private key of --tls-cert-file." }),
    minVersion: choice("tls-min-version", Object.keys(VERSIONS) as (keyof typeof VERSIONS)[], {
      default: "VersionTLS12",
      help: "Minimum TLS version: VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13.",
    }).to((version) => VERSIONS[version]),
    ciphers: list("tls-cipher-suites", {
      help: "Cipher suites, by the names that Go gives them. Defaults to those of Node.js, AES-128-GCM first.",
    }).to((suites) => suites.map(openSslName).join(":")),
    http2: boolean("disable-http2-serving", { default: "false", help: "Serve HTTP/1.1 only." }).to((off) => !off),
    maxStreams: number("http2-max-streams-per-connection", {
      default: "100",
      help: "Maximum number of concurrent requests on one HTTP/2 connection. 0 means the default.",
    }).to((streams) => streams || DEFAULT_STREAMS),
    goawayChance: fraction("goaway-chance", MOST_GOAWAYS, {
      default: "0",
      help: "Fraction of requests after which an HTTP/2 connection is closed gracefully (GOAWAY), so that clients spread over several servers. From 0 (never) to 0.02.",
    }),
    permitPortSharing: boolean("permit-port-sharing", {
      default: "false",
      help: "Let several servers listen on the same port (SO_REUSEPORT).",
    }),
    strictTransportSecurity: list("strict-transport-security-directives", {
      help: "Directives of the Strict-Transport-Security header, which is then sent with every response.",
    }).to((directives, name) => {
      for (const directive of directives) {
        if (directive.trim() === "") throw new UsageError(`empty value in ${name}`);
        if (!/^(?:includeSubDomains|preload|max-age=[^=]*)$/.test(directive))
          throw new UsageError(
            `--${name} invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information`,
          );
      }
      return directives;
    }),
    corsAllowedOrigins: list("cors-allowed-origins", {
      help: "Allowed CORS origins, as regular expressions that match a whole host name: //example\\.com(:|$). Empty disables CORS.",
    }).to((patterns) => patterns.map(readOriginPattern)),
  },
  ({ certificate, key, minVersion, ciphers, http2, maxStreams, ...values }) => {
    const serving = keyPair(["tls-cert-file", certificate], ["tls-private-key-file", key]);
    return { ...values, tls: { serving, minVersion, ciphers, http2, maxStreams } };
  },
);

/** Converts `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` to the OpenSSL name `ECDHE-RSA-AES128-GCM-SHA256`. Names of TLS 1.3 are unchanged. */
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
  if (!getCiphers().includes(name.toLowerCase()))
    throw new UsageError(`Cipher suite ${suite} not supported or doesn't exist`);
  return name;
}
