import { percentEscape } from "./percent-escape.ts";

const UNESCAPED = /[A-Za-z0-9\-_.~$&+,/:;=@]/;

/** A decoded path as Go writes it: another server must read in it exactly what was authorized here. */
export function escapePath(path: string): string {
  return percentEscape(path, UNESCAPED);
}
