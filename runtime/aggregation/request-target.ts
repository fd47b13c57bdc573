import { percentEscape } from "../lib/percent-escape.ts";

const UNESCAPED = /[A-Za-z0-9\-_.~$&+,/:;=@]/;

/** A decoded path as Go writes it: another server must read in it exactly what was authorized here. */
export function escapePath(path: string): string {
  return percentEscape(path, UNESCAPED);
}

const BROKEN_ESCAPE = /%(?![0-9a-fA-F]{2})/;

/** A query without the terms that Go does not read: they must not mean anything to anybody else either. */
export function readableQuery(query: string): string {
  return query
    .split("&")
    .filter((term) => term !== "" && !term.includes(";") && !BROKEN_ESCAPE.test(term))
    .join("&");
}
