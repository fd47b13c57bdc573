import { percentDecode } from "../../lib/percent-decode.ts";

/** Decodes the key of an extra, which is percent-encoded because header names allow fewer characters. Returns an invalid encoding unchanged. */
export function decodeExtraKey(key: string): string {
  return percentDecode(key)?.toString("utf8") ?? key;
}
