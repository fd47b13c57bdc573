import { BOOL, listOf, mapOf, opaqueOf, STRING } from "../types/cel-type.ts";
import { OpaqueValue } from "../values/containers.ts";
import { conversionError } from "../values/evaluation-error.ts";
import { declare, global, type Library, member } from "./library.ts";

const TOTAL = { total: true };
const URL_TYPE = opaqueOf("kubernetes.URL");

/** The parts of a URL as they are written, without the clean-up that browsers do. */
class UrlValue extends OpaqueValue {
  readonly typeName = URL_TYPE.name;
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;

  constructor(text: string, scheme: string, host: string, path: string, query: string) {
    super();
    this.text = text;
    this.scheme = scheme;
    this.host = host;
    this.path = path;
    this.query = query;
  }

  get port(): string {
    return /:(\d*)$/.exec(this.host)?.[1] ?? "";
  }

  get hostname(): string {
    const bracketed = /^\[([^\]]*)\]/.exec(this.host);
    return bracketed?.[1] ?? this.host.replace(/:\d*$/, "");
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof UrlValue && this.text === other.text;
  }
}

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;

/** An absolute URL or path, as an HTTP request may hold; undefined if it is none. */
function parseUrl(text: string): UrlValue | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is refused.
  if (text === "" || /[\x00-\x1f\x7f]/.test(text) || /%(?![0-9a-fA-F]{2})/.test(text.split("?")[0]!)) return undefined;
  const scheme = SCHEME.exec(text)?.[1] ?? "";
  const [address, query] = cut(cut(scheme === "" ? text : text.slice(scheme.length + 1), "#")[0], "?");
  const [authority, path] = address.startsWith("//") ? cutBefore(address.slice(2), "/") : ["", address];
  const host = authority.slice(authority.indexOf("@") + 1);
  if (scheme === "" && !text.startsWith("/")) return undefined;
  if (/[ "<>\\^`{|}]/.test(host) || /:(?!\d*$)/.test(host.replace(/^\[[^\]]*\]/, ""))) return undefined;
  return new UrlValue(text, scheme.toLowerCase(), host, path.replaceAll(" ", "%20"), query);
}

/** What stands before and behind the first of a character. */
function cut(text: string, character: string): [string, string] {
  const [before, rest] = cutBefore(text, character);
  return [before, rest.slice(1)];
}

function cutBefore(text: string, character: string): [string, string] {
  const at = text.indexOf(character);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}

export const isUrl = (text: string): boolean => parseUrl(text) !== undefined;

function url(text: string): UrlValue {
  const parsed = parseUrl(text);
  if (parsed === undefined)
    throw conversionError(
      `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
    );
  return parsed;
}

function queryOf(value: UrlValue): Record<string, string[]> {
  const result: Record<string, string[]> = Object.create(null);
  for (const [key, item] of new URLSearchParams(value.query)) (result[key] ??= []).push(item);
  return result;
}

/** URLs and their parts. */
export const urlLibrary: Library = {
  name: "url",
  types: [URL_TYPE],
  functions: [
    declare("url", global("string_to_url", [STRING], URL_TYPE, url)),
    declare("isURL", global("is_url_string", [STRING], BOOL, isUrl, TOTAL)),
    declare(
      "getScheme",
      member("url_get_scheme", [URL_TYPE], STRING, (value: UrlValue) => value.scheme, TOTAL),
    ),
    declare(
      "getHost",
      member("url_get_host", [URL_TYPE], STRING, (value: UrlValue) => value.host, TOTAL),
    ),
    declare(
      "getHostname",
      member("url_get_hostname", [URL_TYPE], STRING, (value: UrlValue) => value.hostname, TOTAL),
    ),
    declare(
      "getPort",
      member("url_get_port", [URL_TYPE], STRING, (value: UrlValue) => value.port, TOTAL),
    ),
    declare(
      "getEscapedPath",
      member("url_get_escaped_path", [URL_TYPE], STRING, (value: UrlValue) => value.path, TOTAL),
    ),
    declare("getQuery", member("url_get_query", [URL_TYPE], mapOf(STRING, listOf(STRING)), queryOf, TOTAL)),
  ],
};
