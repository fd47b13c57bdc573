import type { ApiObject } from "../contract/api-object.ts";
import { invalid, type StatusError } from "../contract/status.ts";
import { compactJson } from "../encoding/json/compact-json.ts";
import { notedText } from "../encoding/json/raw-text.ts";
import { escapeForHtml, stringifyJson } from "../encoding/json/stringify-json.ts";
import { compareUtf8 } from "../lib/compare-utf8.ts";
import { invalidField } from "../lib/field-errors.ts";
import { FloatLiteral } from "../lib/float-literal.ts";
import { goPlainText } from "../lib/go-plain-text.ts";
import { type ExpectedType, otherKindProblem } from "../resource/decode-object.ts";
import { DecodeError } from "../schema/schema-errors.ts";
import type { WriteQuery } from "./query-options.ts";

const NO_LITERALS: ReadonlyMap<string, string> = new Map();

/** What came of a patch, before anybody looked whether it is an object of the kind. */
export interface PatchOutcome {
  /** Strategic patches cannot say what an object is; the others can, and must not. */
  readonly strategic: boolean;
  readonly body: Buffer;
  readonly patch: unknown;
  readonly current: ApiObject;
  readonly patched: unknown;
  /** What strict decoding finds wrong with the patch itself. */
  readonly problems: readonly string[];
}

export interface PatchTarget extends Pick<ExpectedType, "schema" | "kind" | "kinds" | "goPackage" | "scheme"> {
  readonly apiVersion: string;
}

/** Decodes a patched object. A result that is no object of the kind is the fault of the patch (422). */
export function decodePatched(
  outcome: PatchOutcome,
  target: PatchTarget,
  query: Pick<WriteQuery, "fieldValidation">,
  warn: (message: string) => void,
): ApiObject {
  const refuse = (why: string): StatusError =>
    invalid({ group: "", kind: "" }, "", [invalidField("patch", showPatch(outcome), why)]);
  const { kind, apiVersion } = (outcome.patched ?? {}) as { readonly kind?: unknown; readonly apiVersion?: unknown };
  const isOther = (kind ?? target.kind) !== target.kind || (apiVersion ?? target.apiVersion) !== target.apiVersion;
  if (!outcome.strategic && isOther) {
    const problem = otherKindProblem(String(apiVersion), String(kind), outcome.patched, target);
    if (problem !== undefined) throw refuse(problem);
  }
  const problems = [...outcome.problems];
  const restores = outcome.strategic;
  let decoded: ApiObject;
  try {
    decoded = target.schema.decode(outcome.patched, { problems, given: true, restores, textOf: patchedTexts(outcome) });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw refuse(outcome.strategic ? error.restoring : error.message);
  }
  if (query.fieldValidation === "Strict" && problems.length > 0) {
    const told = outcome.strategic ? problems.toSorted() : problems;
    throw refuse(`strict decoding error: ${told.join(", ")}`);
  }
  if (query.fieldValidation === "Warn") {
    problems.forEach(warn);
  }
  return decoded;
}

/** The text of raw data in what came of a patch: what nobody touched is only compacted. */
function patchedTexts({ current, patch }: PatchOutcome): (raw: object) => string {
  const untouched = new Set<object>();
  return (raw) => {
    const known = notedText(raw);
    if (known !== undefined) return compactJson(known);
    if (untouched.size === 0) [current, patch].forEach((part) => gatherObjects(part, untouched));
    return showPatched(raw, untouched);
  };
}

/** What a message shows of a patch that makes no object: strategic ones themselves, else what came of them. */
function showPatch({ strategic, body, patch, patched, current }: PatchOutcome): string {
  if (strategic) return goPlainText(JSON.parse(body.toString("utf8")));
  const untouched = new Set<object>();
  gatherObjects(current, untouched);
  gatherObjects(patch, untouched);
  return showPatched(patched, untouched, literalsOf(body.toString("utf8")));
}

/** Texts of a patch by what they say, where they are written with other escapes than this server's: they stay as they are. */
function literalsOf(body: string): ReadonlyMap<string, string> {
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

function gatherObjects(value: unknown, found: Set<object>): void {
  if (typeof value !== "object" || value === null) return;
  found.add(value);
  for (const member of Object.values(value)) gatherObjects(member, found);
}

/** Patched JSON as messages quote it: objects that patching made are sorted, what was there or given stands as it was. */
function showPatched(
  patched: unknown,
  untouched: ReadonlySet<object>,
  literals: ReadonlyMap<string, string> = NO_LITERALS,
): string {
  if (typeof patched === "string") return literals.get(patched) ?? stringifyJson(patched);
  if (patched instanceof FloatLiteral) return patched.text;
  if (typeof patched !== "object" || patched === null) return stringifyJson(patched);
  if (Array.isArray(patched)) return `[${patched.map((item) => showPatched(item, untouched, literals)).join(",")}]`;
  const members = Object.entries(patched);
  const isOwn = !untouched.has(patched);
  if (isOwn) members.sort(([a], [b]) => compareUtf8(a, b));
  const name = (key: string) => (isOwn ? undefined : literals.get(key)) ?? stringifyJson(key);
  const shown = members.map(([key, value]) => `${name(key)}:${showPatched(value, untouched, literals)}`);
  return `{${shown.join(",")}}`;
}
