import { createRequire } from "node:module";
import { UsageError } from "../usage-error.ts";

/**
 * Compiles a pattern of `--cors-allowed-origins`: a regular expression, matched in linear time. Like kube-apiserver, throws for a pattern that does
 * not pin the start and the end of the host.
 */
export function readOriginPattern(pattern: string): (origin: string) => boolean {
  const { RE2JS } = createRequire(import.meta.url)("re2js") as typeof import("re2js");
  const regex = compile(pattern, (text) => RE2JS.compile(text));
  const pinsStart = pattern.includes("^") || pattern.includes("//");
  const pinsEnd = pattern.includes("$") || pattern.includes(":");
  if (!pinsStart || !pinsEnd) {
    throw new UsageError(
      `--cors-allowed-origins: ${pattern} does not match a whole host name: begin it with ^ or //, end it with $ or (:|$), as in //example\\.com(:|$)`,
    );
  }
  return (origin) => {
    const host = origin.length > LONGEST ? null : ORIGIN.exec(origin);
    if (host === null) return false;
    const start = host[1]!.length;
    const end = start + host[2]!.length;
    const matcher = regex.matcher(origin);
    // The match must cover the whole host: `^https://example\.com` alone would also match example.com.evil.net.
    return matcher.find() && matcher.start() <= start && matcher.end() >= end;
  };
}

/** Scheme, host, port (RFC 6454). */
const ORIGIN = /^([a-z][-+.a-z0-9]*:\/\/)(\[[0-9a-f:.]+\]|[^\s/:?#@[\]]+)(?::[0-9]+)?$/i;
const LONGEST = 1024;

function compile<T>(pattern: string, make: (pattern: string) => T): T {
  try {
    return make(pattern);
  } catch {
    throw new UsageError(`--cors-allowed-origins: ${pattern} is not a regular expression`);
  }
}
