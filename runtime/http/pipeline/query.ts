import type { RequestQuery } from "../../contract/request-info.ts";
import { keepBrokenBytes } from "../../go/broken-bytes.ts";
import { percentDecode } from "../../lib/percent-decode.ts";

/** An immutable query. */
class Query implements RequestQuery {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  get(name: string): string | null {
    return this.#values.get(name)?.[0] ?? null;
  }

  getAll(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  has(name: string): boolean {
    return this.getAll(name).length > 0;
  }
}

/** A query with changed values of some parameters. An empty list removes a parameter. */
export function changeQuery(query: RequestQuery, changes: ReadonlyMap<string, readonly string[]>): RequestQuery {
  const getAll = (name: string): readonly string[] => changes.get(name) ?? query.getAll(name);
  return { getAll, get: (name) => getAll(name)[0] ?? null, has: (name) => getAll(name).length > 0 };
}

/** A parsed query, and the text of its valid terms. */
export interface ReadQuery {
  readonly query: RequestQuery;
  readonly text: string;
}

const EMPTY: ReadQuery = { query: new Query(new Map()), text: "" };

/**
 * Parses a query like Go. A term with a semicolon or an invalid escape is ignored by every part of the server. `dryRun` without a value has
 * no effect.
 */
export function readQuery(text: string): ReadQuery {
  if (text === "") return EMPTY;
  const values = new Map<string, string[]>();
  const terms: string[] = [];
  for (const term of text.split("&")) {
    if (term === "" || term.includes(";")) continue;
    const at = term.indexOf("=");
    const name = decode(at < 0 ? term : term.slice(0, at), false);
    const value = at < 0 ? "" : decode(term.slice(at + 1), name === "labelSelector");
    if (name === undefined || value === undefined) continue;
    terms.push(term);
    if (term === "dryRun") continue;
    const former = values.get(name);
    if (former === undefined) values.set(name, [value]);
    else former.push(value);
  }
  return { query: new Query(values), text: terms.join("&") };
}

/**
 * `keepsBytes`: keeps bytes that are not UTF-8, because messages about label selectors show them. Otherwise a replacement character
 * replaces them.
 */
function decode(text: string, keepsBytes: boolean): string | undefined {
  if (!ESCAPED.test(text)) return text;
  const bytes = percentDecode(text.replaceAll("+", " "));
  if (bytes === undefined) return undefined;
  return keepsBytes ? keepBrokenBytes(bytes) : bytes.toString("utf8");
}

const ESCAPED = /[%+\x80-\uffff]/;
