import { createPrivateKey, createPublicKey } from "node:crypto";
import type { ServiceAccountConfig } from "../auth/authenticate/authentication-config.ts";
import { signingAlgorithm } from "../auth/authenticate/service-account-keys.ts";
import { type FlagValues, UsageError } from "./parse-flags.ts";
import { readFlagFile } from "./read-flag-file.ts";

const HOUR_SECONDS = 3600;
const LONGEST_SECONDS = 2 ** 32;
const PEM_BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]+-----END \1-----/g;

/** The flags `--service-account-*`, which mean what they mean to kube-apiserver. */
export function readServiceAccounts(flags: FlagValues): ServiceAccountConfig {
  const signingFile = flags.string("service-account-signing-key-file");
  const maxTokenSeconds = flags.duration("service-account-max-token-expiration") / 1000;
  if (maxTokenSeconds !== 0 && (maxTokenSeconds < HOUR_SECONDS || maxTokenSeconds > LONGEST_SECONDS)) {
    throw new UsageError("the service-account-max-token-expiration must be between 1 hour and 2^32 seconds");
  }
  return {
    issuers: readIssuers(flags.array("service-account-issuer")),
    signingKey: signingFile === undefined ? undefined : readSigningKey(signingFile),
    keys: flags.array("service-account-key-file").flatMap(readKeys),
    maxTokenSeconds,
    extendsTokens: flags.boolean("service-account-extend-token-expiration"),
    looksUp: flags.boolean("service-account-lookup"),
    jwksUri: readJwksUri(flags.string("service-account-jwks-uri")),
  };
}

function readIssuers([first, ...others]: readonly string[]): ServiceAccountConfig["issuers"] {
  const issuers = [first ?? "", ...others] as const;
  const seen = new Set<string>();
  for (const issuer of issuers) {
    if (issuer === "") throw new UsageError("service-account-issuer should not be an empty string");
    if (issuer.includes(":") && !URL.canParse(issuer)) {
      throw new UsageError(`service-account-issuer "${issuer}" contained a ':' but was not a valid URL`);
    }
    if (seen.has(issuer)) throw new UsageError(`service-account-issuer "${issuer}" is already specified`);
    seen.add(issuer);
  }
  return issuers;
}

function readSigningKey(path: string): string {
  const pem = readFlagFile("service-account-signing-key-file", path);
  try {
    signingAlgorithm(createPrivateKey(pem));
  } catch (error) {
    throw new UsageError(`--service-account-signing-key-file=${path}: ${(error as Error).message}`);
  }
  return pem;
}

/** A file may hold several keys; the public half of each is what counts. */
function readKeys(path: string): string[] {
  const blocks = readFlagFile("service-account-key-file", path).match(PEM_BLOCK) ?? [];
  const keys = blocks.filter((block) => !block.startsWith("-----BEGIN EC PARAMETERS"));
  if (keys.length === 0) throw new UsageError(`--service-account-key-file=${path}: there is no key in it`);
  for (const key of keys) {
    try {
      signingAlgorithm(createPublicKey(key));
    } catch (error) {
      throw new UsageError(`--service-account-key-file=${path}: ${(error as Error).message}`);
    }
  }
  return keys;
}

function readJwksUri(uri: string | undefined): string | undefined {
  if (uri !== undefined && !uri.startsWith("https://")) {
    throw new UsageError(`service-account-jwks-uri requires https scheme, parsed as: ${uri}`);
  }
  return uri;
}
