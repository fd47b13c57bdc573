import { goQuote } from "./quote.ts";

/** Thrown for a string that Go does not accept as a URL. The message is Go's. */
export class GoUrlError extends Error {
  readonly code = "go-url";
}

/** The required parts of a URL as Go parses it. */
export interface GoUrl {
  readonly scheme: string;
  readonly host: string;
  /** The path as written. Empty if the part after the scheme is opaque: `mailto:a@b`. */
  readonly path: string;
  /** Absent if there is no `@`. */
  readonly user?: string;
  readonly query: string;
  readonly fragment: string;
}

const SCHEME = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;
const USER = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const HOST_CHARACTERS = /[^A-Za-z0-9!$&'()*+,;=:[\]<>"\-_.~%\u0080-\uffff]/u;
const PORT = /^(?::[0-9]*)?$/;

/** Parses a URL like Go's `url.Parse`. Throws a GoUrlError. */
export function parseGoUrl(text: string): GoUrl {
  const [url, fragment] = cut(text, "#");
  const parsed = failingAs(url, () => parse(url));
  return { ...parsed, fragment: failingAs(text, () => unescaped(fragment)) };
}

/** Throws a GoUrlError if Go's `url.ParseRequestURI` rejects the string: in addition to invalid URLs, it rejects relative ones. */
export function checkRequestUri(text: string): void {
  failingAs(text, () => parse(text, true));
}

function failingAs<T>(text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof GoUrlError) throw new GoUrlError(`parse ${goQuote(text)}: ${error.message}`);
    throw error;
  }
}

function parse(text: string, viaRequest = false): Omit<GoUrl, "fragment"> {
  if ([...text].some((character) => character < " " || character === "\x7f"))
    throw new GoUrlError("net/url: invalid control character in URL");
  if (text === "" && viaRequest) throw new GoUrlError("empty url");
  if (text === "*") return { scheme: "", query: "", host: "", path: "*" };
  if (text.startsWith(":")) throw new GoUrlError("missing protocol scheme");
  const scheme = SCHEME.exec(text)?.[0] ?? "";
  const [rest, query] = cut(text.slice(scheme.length), "?");
  const found = { scheme: scheme.slice(0, -1).toLowerCase(), query };
  if (!rest.startsWith("/")) {
    if (scheme !== "") return { ...found, host: "", path: "" };
    if (viaRequest) throw new GoUrlError("invalid URI for request");
    if (cut(rest, "/")[0].includes(":")) throw new GoUrlError("first path segment in URL cannot contain colon");
  }
  const hasAuthority = rest.startsWith("//") && (scheme !== "" || (!viaRequest && !rest.startsWith("///")));
  const end = hasAuthority ? rest.indexOf("/", 2) : 0;
  const place = parseAuthority(hasAuthority ? rest.slice(2, end < 0 ? rest.length : end) : "");
  const path = end < 0 ? "" : rest.slice(end);
  unescaped(path);
  return { ...found, ...place, path };
}

function parseAuthority(text: string): Pick<GoUrl, "host" | "user"> {
  const at = text.lastIndexOf("@");
  const host = parseHost(text.slice(at + 1));
  if (at < 0) return { host };
  const user = text.slice(0, at);
  if (!USER.test(user)) throw new GoUrlError("net/url: invalid userinfo");
  unescaped(user);
  return { host, user };
}

function parseHost(text: string): string {
  const colon = text.lastIndexOf(":");
  let port = colon < 0 ? "" : text.slice(colon);
  if (text.startsWith("[")) {
    const end = text.lastIndexOf("]");
    if (end < 0) throw new GoUrlError("missing ']' in host");
    port = text.slice(end + 1);
  }
  if (!PORT.test(port)) throw new GoUrlError(`invalid port ${goQuote(port)} after host`);
  for (const [escaped, digits = ""] of text.matchAll(/%(.{0,2})/gsu)) {
    // Hosts may only escape non-ASCII bytes, and the percent sign before a zone.
    const isFine = /^[0-9a-fA-F]{2}$/.test(digits) && (digits === "25" || Number.parseInt(digits, 16) >= 0x80);
    if (!isFine) throw new GoUrlError(`invalid URL escape ${goQuote(escaped)}`);
  }
  const odd = HOST_CHARACTERS.exec(text)?.[0];
  if (odd !== undefined) throw new GoUrlError(`invalid character ${goQuote(odd)} in host name`);
  return text;
}

/** Matches a path whose characters need no escaping. */
const VALID_PATH = /^[A-Za-z0-9\-_.~!$&'()*+,;=:@/[\]%]*$/;

/** Returns a path as written if it is valid, otherwise with all characters escaped that Go escapes. */
export function escapedPath(path: string): string {
  if (VALID_PATH.test(path)) return path;
  return encodeURI(unescaped(path).toWellFormed()).replace(
    /[!'()*?#]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Returns the values of a query by name. Omits malformed parts. */
export function queryValues(query: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const part of query.split("&")) {
    if (part === "" || part.includes(";") || /%(?![0-9a-fA-F]{2})/.test(part)) continue;
    const [name, value] = cut(part, "=").map((piece) => unescaped(piece.replaceAll("+", " "))) as [string, string];
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}

/** Decodes escapes. Throws a GoUrlError for invalid ones. */
function unescaped(text: string): string {
  const wrong = /%(?![0-9a-fA-F]{2})[\s\S]{0,2}/.exec(text)?.[0];
  if (wrong !== undefined) throw new GoUrlError(`invalid URL escape ${goQuote(wrong)}`);
  const bytes = text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString());
  return bytes;
}

function cut(text: string, at: string): readonly [before: string, after: string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}
