import type { RequestLine } from "../../contract/request-info.ts";
import { percentDecode } from "../../lib/percent-decode.ts";
import { readQuery } from "./query.ts";

/** Reads a request target as Go's server does; undefined for one that it would answer with 400. */
export function readRequestLine(method: string, target: string): RequestLine | undefined {
  const local = originForm(target);
  if (local === undefined || CONTROL.test(local)) return undefined;
  const at = local.indexOf("?");
  const path = decodePath(at < 0 ? local : local.slice(0, at));
  if (path === undefined) return undefined;
  const { query, text } = readQuery(at < 0 ? "" : local.slice(at + 1));
  return { method, uri: target, path, query, queryText: text };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const CONTROL = /[\x00-\x1f\x7f]/;
const AUTHORITY = /^[a-z][-+.a-z0-9]*:\/\/[^/?]*/i;

/** Proxies may name the whole address where clients name the path. There is no fragment: `#` is a character of the path. */
function originForm(target: string): string | undefined {
  if (target.startsWith("/") || target === "*") return target;
  const authority = AUTHORITY.exec(target)?.[0];
  if (authority === undefined) return undefined;
  const local = target.slice(authority.length);
  return local.startsWith("/") ? local : `/${local}`;
}

/** Node takes each byte of a target for a character. Bytes that are no UTF-8 become replacement characters everywhere. */
function decodePath(path: string): string | undefined {
  return ESCAPED.test(path) ? percentDecode(path)?.toString("utf8") : path;
}

const ESCAPED = /[%\x80-\uffff]/;
