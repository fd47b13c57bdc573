import { escapeForHtml, stringifyJson } from "../encoding/json/stringify-json.ts";
import { compareUtf8 } from "../lib/compare-utf8.ts";
import { FloatLiteral } from "../lib/float-literal.ts";
import { isJsonObject } from "../lib/json-object.ts";

const NO_LITERALS: ReadonlyMap<string, string> = new Map();

/** All objects inside a value, itself included. */
export function gatherObjects(value: unknown, found: Set<object>): void {
  if (typeof value !== "object" || value === null) return;
  found.add(value);
  for (const member of Object.values(value)) gatherObjects(member, found);
}

/** Patched JSON as messages quote it: objects that patching made are sorted, what was there or given stands as it was. */
export function showPatched(
  patched: unknown,
  untouched: ReadonlySet<object>,
  literals: ReadonlyMap<string, string> = NO_LITERALS,
): string {
  if (typeof patched === "string") return literals.get(patched) ?? stringifyJson(patched);
  if (patched instanceof FloatLiteral) return patched.text;
  if (typeof patched !== "object" || patched === null) return stringifyJson(patched);
  if (Array.isArray(patched)) return `[${patched.map((item) => showPatched(item, untouched, literals)).join(",")}]`;
  const isOwn = !untouched.has(patched);
  const name = (key: string) => (isOwn ? undefined : literals.get(key)) ?? stringifyJson(key);
  const shown = membersOf(patched, isOwn).map(
    ([key, value]) => `${name(key)}:${showPatched(value, untouched, literals)}`,
  );
  return `{${shown.join(",")}}`;
}

/** The same value with its members in the order in which it would be written, and is hence read again. */
export function asWritten(patched: unknown, untouched: ReadonlySet<object>): unknown {
  if (Array.isArray(patched)) return patched.map((item) => asWritten(item, untouched));
  if (!isJsonObject(patched) || untouched.has(patched)) return patched;
  return Object.fromEntries(membersOf(patched, true).map(([key, value]) => [key, asWritten(value, untouched)]));
}

function membersOf(object: object, sorted: boolean): [string, unknown][] {
  const members = Object.entries(object);
  return sorted ? members.sort(([a], [b]) => compareUtf8(a, b)) : members;
}

/** Texts of a patch by what they say, where they are written with other escapes than this server's: they stay as they are. */
export function literalsOf(body: string): ReadonlyMap<string, string> {
  const literals = new Map<string, string>();
  if (!body.includes("\\")) return literals;
  for (const [literal] of body.matchAll(/"(?:[^"\\]|\\.)*"/gs)) {
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
