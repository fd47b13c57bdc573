import type { UserInfo } from "../contract/user-info.ts";
import { percentEscape } from "./percent-escape.ts";

/** Headers by which another server learns who asks; what the client says in them is never passed on. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Who asks, in headers. The uid is told only where it is among what other servers are told to believe. */
export function identityHeaders({ name, uid, groups, extra }: UserInfo, tellsUid: boolean): HeaderList {
  return [
    ["X-Remote-User", asBytes(name)],
    ...(tellsUid && uid ? [["X-Remote-Uid", asBytes(uid)] as const] : []),
    ...groups.map((group) => ["X-Remote-Group", asBytes(group)] as const),
    ...Object.entries(extra ?? {}).flatMap(([key, values]) =>
      values.map((value) => [`X-Remote-Extra-${percentEscape(key, TOKEN)}`, asBytes(value)] as const),
    ),
  ];
}

/** Keys may hold what names of headers may not. */
const TOKEN = /[!#$&'*+\-.^_`|~0-9A-Za-z]/;

/** Node writes each character of a header as one byte; names are UTF-8. */
function asBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
