import type { KeyOrder } from "../encoding/json/ordered-view.ts";
import { escapeForHtml, stringifyJson } from "../encoding/json/stringify-json.ts";
import { sortUtf8 } from "../lib/compare-utf8.ts";
import { FloatLiteral } from "../lib/float-literal.ts";

const NO_LITERALS: ReadonlyMap<string, string> = new Map();

/** All objects inside a value, itself included. */
export function gatherObjects(value: unknown, found: Set<object>): void {
  if (typeof value !== "object" || value === null) return;
  found.add(value);
  for (const member of Object.values(value)) gatherObjects(member, found);
}

/** What is known of the parts of a patched object. */
export interface PatchedParts {
  /** What was there before or was given, and stands as it was. */
  readonly untouched: ReadonlySet<object>;
  /** Texts by what they say, where they were given with other escapes than this server's. */
  readonly literals?: ReadonlyMap<string, string>;
  /** The order of keys in what was given. */
  readonly keysOf: KeyOrder;
}

/** Patched JSON as messages quote it: objects that patching made are sorted, what was there or given stands as it was. */
export function showPatched(patched: unknown, parts: PatchedParts): string {
  const { untouched, literals = NO_LITERALS, keysOf } = parts;
  if (typeof patched === "string") return literals.get(patched) ?? stringifyJson(patched);
  if (patched instanceof FloatLiteral) return patched.text;
  if (typeof patched !== "object" || patched === null) return stringifyJson(patched);
  if (Array.isArray(patched)) return `[${patched.map((item) => showPatched(item, parts)).join(",")}]`;
  const isOwn = !untouched.has(patched);
  const name = (key: string) => (isOwn ? undefined : literals.get(key)) ?? stringifyJson(key);
  const keys = writtenOrder(untouched, keysOf)(patched) ?? Object.keys(patched);
  const members = patched as Readonly<Record<string, unknown>>;
  return `{${keys.map((key) => `${name(key)}:${showPatched(members[key], parts)}`).join(",")}}`;
}

/** The order in which the members of what was patched would be written, and are hence read again. */
export function writtenOrder(untouched: ReadonlySet<object>, keysOf: KeyOrder): KeyOrder {
  return (object) => (untouched.has(object) ? keysOf(object) : sortUtf8(Object.keys(object)));
}

/** Texts of a patch by what they say, where they are written with other escapes than this server's: they stay as they are. */
export function literalsOf(body: string): ReadonlyMap<string, string> {
  const literals = new Map<string, string>();
  if (!body.includes("\\")) return literals;
  for (const [literal] of body.matchAll(/"(?:[^"\\]|\\.)*"?/gs)) {
    const text = literal.includes("\\") ? parseLiteral(literal) : undefined;
    if (text !== undefined && stringifyJson(text) !== literal) literals.set(text, escapeForHtml(literal));
  }
  return literals;
}

function parseLiteral(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}
