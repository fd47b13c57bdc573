import { createPrivateKey, createPublicKey } from "node:crypto";
import { signingAlgorithm } from "../../auth/authenticate/service-account-keys.ts";
import { UsageError } from "../usage-error.ts";
import { array, boolean, duration, file, readFlagFile, string } from "./flag.ts";
import { section } from "./section.ts";

const HOUR_SECONDS = 3600;
const LONGEST_SECONDS = 2 ** 32;
const PEM_BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]+-----END \1-----/g;

export const SERVICE_ACCOUNTS = section(
  "Service accounts",
  {
    issuers: array("service-account-issuer", {
      default: "https://kubernetes.default.svc",
      help: "Issuer of service account tokens. May be repeated: the first one issues tokens, all of them are accepted.",
    }).to(checkIssuers),
    signingKey: file("service-account-signing-key-file", {
      help: "Private key that signs service account tokens, instead of the one generated in --cert-dir.",
    }).to((given, name) => {
      if (given !== undefined) checkKey(`--${name}=${given.path}`, () => createPrivateKey(given.contents));
      return given?.contents;
    }),
    keys: array("service-account-key-file", {
      help: "File of public or private keys that verify service account tokens, besides the signing key. May be repeated.",
    }).to((paths, name) => paths.flatMap((path) => readKeys(name, path))),
    maxTokenSeconds: duration("service-account-max-token-expiration", {
      default: "0s",
      help: "Maximum lifetime of service account tokens, at least 1h. 0 means no limit.",
    }).to((milliseconds) => {
      const seconds = milliseconds / 1000;
      if (seconds !== 0 && (seconds < HOUR_SECONDS || seconds > LONGEST_SECONDS))
        throw new UsageError("the service-account-max-token-expiration must be between 1 hour and 2^32 seconds");
      return seconds;
    }),
    extendsTokens: boolean("service-account-extend-token-expiration", {
      default: "true",
      help: "Tokens that are mounted into pods stay valid for a year, although clients are told to refresh them after an hour.",
    }),
    looksUp: boolean("service-account-lookup", {
      default: "true",
      help: "Accept a token from a Secret only while the Secret and the ServiceAccount exist.",
    }),
    jwksUri: string("service-account-jwks-uri", {
      help: "URL of the public keys in the OpenID discovery document, https only. Defaults to this server's own.",
    }).to((uri) => {
      if (uri !== undefined && !uri.startsWith("https://"))
        throw new UsageError(`service-account-jwks-uri requires https scheme, parsed as: ${uri}`);
      return uri;
    }),
  },
  (serviceAccounts) => ({ serviceAccounts }),
);

function checkIssuers([first, ...others]: readonly string[]): readonly [string, ...string[]] {
  const issuers = [first ?? "", ...others] as const;
  const seen = new Set<string>();
  for (const issuer of issuers) {
    if (issuer === "") throw new UsageError("service-account-issuer should not be an empty string");
    if (issuer.includes(":") && !URL.canParse(issuer))
      throw new UsageError(`service-account-issuer "${issuer}" contained a ':' but was not a valid URL`);
    if (seen.has(issuer)) throw new UsageError(`service-account-issuer "${issuer}" is already specified`);
    seen.add(issuer);
  }
  return issuers;
}

/** Reads a file that may contain several keys. Only the public part of each is used. */
function readKeys(name: string, path: string): string[] {
  const flag = `--${name}=${path}`;
  const blocks = readFlagFile(name, path).match(PEM_BLOCK) ?? [];
  const keys = blocks.filter((block) => !block.startsWith("-----BEGIN EC PARAMETERS"));
  if (keys.length === 0) throw new UsageError(`${flag}: there is no key in it`);
  for (const key of keys) checkKey(flag, () => createPublicKey(key));
  return keys;
}

function checkKey(flag: string, read: () => Parameters<typeof signingAlgorithm>[0]): void {
  try {
    signingAlgorithm(read());
  } catch (error) {
    throw new UsageError(`${flag}: ${(error as Error).message}`);
  }
}
