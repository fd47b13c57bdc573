import type { UserInfo } from "../contract/user-info.ts";
import { percentEscape } from "./percent-escape.ts";

/** Headers that identify the user to an extension server. Such headers of the client are never forwarded. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Returns the headers for a user. The UID is sent only if `X-Remote-Uid` is published as a trusted header. */
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

/** Characters allowed in header names. Others in the keys of extras are escaped. */
const TOKEN = /[!#$&'*+\-.^_`|~0-9A-Za-z]/;

/** Encodes a string for a header: Node.js writes each character as one byte, and user names are UTF-8. */
function asBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
