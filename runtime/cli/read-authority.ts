import { createSecureContext } from "node:tls";
import { type FlagValues, UsageError } from "./parse-flags.ts";
import { readFlagFile } from "./read-flag-file.ts";

/** PEM of the CA file of a flag; undefined without it. Throws a UsageError for a file without a certificate. */
export function readAuthority(flags: FlagValues, flag: string): string | undefined {
  const path = flags.string(flag);
  if (path === undefined || path === "") return undefined;
  const pem = readFlagFile(flag, path);
  if (!/-----BEGIN CERTIFICATE-----/.test(pem))
    throw new UsageError(`--${flag}=${path}: there is no certificate in it`);
  try {
    createSecureContext({ ca: pem });
  } catch (error) {
    throw new UsageError(`--${flag}=${path}: ${(error as Error).message}`);
  }
  return pem;
}
