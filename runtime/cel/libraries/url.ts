import { checkRequestUri, escapedPath, type GoUrl, GoUrlError, parseGoUrl, queryValues } from "../../go/url.ts";
import { BOOL, listOf, mapOf, opaqueOf, STRING } from "../types/cel-type.ts";
import { OpaqueValue } from "../values/containers.ts";
import { conversionError } from "../values/evaluation-error.ts";
import { declare, global, type Library, member } from "./library.ts";

const TOTAL = { total: true };
const URL_TYPE = opaqueOf("kubernetes.URL");

/** A URL as Go reads it, without the clean-up that browsers do. */
class UrlValue extends OpaqueValue {
  readonly typeName = URL_TYPE.name;
  override readonly goType = "*url.URL";
  readonly parts: GoUrl;
  readonly #text: string;

  constructor(text: string, parts: GoUrl) {
    super();
    this.parts = parts;
    // What Go writes: the scheme in lower case, and no sign before a fragment that is empty.
    this.#text = `${parts.scheme}${text.slice(parts.scheme.length)}`.replace(/#$/, "");
  }

  get port(): string {
    return /:(\d*)$/.exec(this.parts.host)?.[1] ?? "";
  }

  get hostname(): string {
    const host = this.parts.host.replace(/:\d*$/, "");
    return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  }

  override toString(): string {
    return this.#text;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof UrlValue && this.#text === other.#text;
  }
}

function url(text: string): UrlValue {
  try {
    checkRequestUri(text);
    return new UrlValue(text, parseGoUrl(text));
  } catch (error) {
    if (!(error instanceof GoUrlError)) throw error;
    throw conversionError(`URL parse error during conversion from string: ${error.message}`);
  }
}

function isUrl(text: string): boolean {
  try {
    checkRequestUri(text);
    return true;
  } catch (error) {
    if (error instanceof GoUrlError) return false;
    throw error;
  }
}

function queryOf({ parts }: UrlValue): Record<string, string[]> {
  const result: Record<string, string[]> = Object.create(null);
  for (const [name, values] of queryValues(parts.query)) result[name] = values;
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
      member("url_get_scheme", [URL_TYPE], STRING, (value: UrlValue) => value.parts.scheme, TOTAL),
    ),
    declare(
      "getHost",
      member("url_get_host", [URL_TYPE], STRING, (value: UrlValue) => value.parts.host, TOTAL),
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
      member("url_get_escaped_path", [URL_TYPE], STRING, (value: UrlValue) => escapedPath(value.parts.path), TOTAL),
    ),
    declare("getQuery", member("url_get_query", [URL_TYPE], mapOf(STRING, listOf(STRING)), queryOf, TOTAL)),
  ],
};
