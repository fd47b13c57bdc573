import type { RequestLine } from "../../contract/request-info.ts";
import { percentDecode } from "../../lib/percent-decode.ts";
import { readQuery } from "./query.ts";

/** Parses a request target like Go's server. Undefined if Go would respond with 400. */
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

/** Removes scheme and authority, which proxies may send where clients send only the path. There is no fragment: `#` is a character of the path. */
function originForm(target: string): string | undefined {
  if (target.startsWith("/") || target === "*") return target;
  const authority = AUTHORITY.exec(target)?.[0];
  if (authority === undefined) return undefined;
  const local = target.slice(authority.length);
  return local.startsWith("/") ? local : `/${local}`;
}

/** Decodes a path as UTF-8: Node decodes each byte of a target as one character. Invalid bytes become replacement characters. */
function decodePath(path: string): string | undefined {
  return ESCAPED.test(path) ? percentDecode(path)?.toString("utf8") : path;
}

const ESCAPED = /[%\x80-\uffff]/;
