import { mayBeMisread } from "./escaped-key.ts";
import { parseJsonSlowly } from "./json-parser.ts";

/** Parses JSON that this server wrote itself, which contains no repeated keys. Integers beyond 2^53 become bigint. */
export function parseOwnJson(bytes: Buffer): unknown {
  return parseOwnText(bytes.toString("utf8"));
}

export function parseOwnText(text: string): unknown {
  if (!LONG_NUMBER.test(text)) {
    const value: unknown = JSON.parse(text);
    if (!mayBeMisread(text, value)) return value;
  }
  return parseJsonSlowly(text, { floatLiterals: false, maxDepth: Number.POSITIVE_INFINITY }).value;
}

/** Matches sixteen digits at the position of a number. Strings, such as names that contain dates, rarely match. */
const LONG_NUMBER = /[:,[]-?\d{16}/;
