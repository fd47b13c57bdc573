import { percentDecode } from "../../lib/percent-decode.ts";

/** Keys of extras may contain characters that header names may not: they are percent-encoded. Invalid encodings are kept unchanged. */
export function decodeExtraKey(key: string): string {
  return percentDecode(key)?.toString("utf8") ?? key;
}
