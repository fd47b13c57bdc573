import { percentEscape } from "./percent-escape.ts";

const UNESCAPED = /[A-Za-z0-9\-_.~$&+,/:;=@]/;

/** Escapes a decoded path as Go does: another server must decode exactly the path that was authorized here. */
export function escapePath(path: string): string {
  return percentEscape(path, UNESCAPED);
}
