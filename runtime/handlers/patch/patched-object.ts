import type { ApiObject } from "../../contract/api-object.ts";
import type { FieldError } from "../../contract/field-error.ts";
import type { StatusError } from "../../contract/status.ts";
import { compactJson } from "../../encoding/json/compact-json.ts";
import { keyOrder } from "../../encoding/json/key-order.ts";
import type { KeyOrder } from "../../encoding/json/ordered-view.ts";
import { notedText } from "../../encoding/json/raw-text.ts";
import { escapeForHtml, stringifyJson } from "../../encoding/json/stringify-json.ts";
import { goValue } from "../../go/format.ts";
import { sortUtf8 } from "../../lib/compare-utf8.ts";
import { FloatLiteral } from "../../lib/float-literal.ts";
import type { Steps } from "../../lib/in-turns.ts";
import type { JsonObject } from "../../lib/json-object.ts";
import { patchAsLeft } from "../../patch/strategic/patch-as-left.ts";
import type { ExpectedType } from "../../resource/decode-object.ts";
import { decodeInOrder, decodeInOrderSteps } from "../../schema/decode-in-order.ts";
import { DecodeError, type WrongField } from "../../schema/schema-errors.ts";
import { invalidField } from "../../values/field-errors.ts";
import { invalid } from "../../values/status-errors.ts";
import type { WriteQuery } from "../query-options.ts";
import { type PatchedType, patchedTypeProblem } from "./patched-type.ts";

const NO_LITERALS: ReadonlyMap<string, string> = new Map();

/** The result of a patch, before it is decoded as an object of the kind. */
export interface PatchOutcome {
  /** Strategic patches cannot change `apiVersion` and `kind`; others can, and must not. */
  readonly strategic: boolean;
  readonly body: Buffer;
  readonly patch: unknown;
  readonly current: ApiObject;
  readonly patched: unknown;
  /** What strict decoding finds wrong with the patch itself. */
  readonly problems: readonly string[];
}

export interface PatchTarget extends PatchedType, Pick<ExpectedType, "schema" | "group"> {}

/** What is told of problems with a patched object, depending on `fieldValidation`. */
interface Report {
  readonly level: WriteQuery["fieldValidation"];
  readonly warn: (message: string) => void;
}

/** Decodes a patched object. A result that is no object of the kind is an error of the patch (422). */
export function decodePatched(outcome: PatchOutcome, target: PatchTarget, report: Report): ApiObject {
  try {
    checkPatchedType(outcome, target, report);
    return reported(decodeOutcome(outcome, target), outcome, target, report);
  } catch (error) {
    throw asRefusal(error, outcome, target);
  }
}

/** The same for a large object; may be interrupted. */
export function* decodePatchedSteps(outcome: PatchOutcome, target: PatchTarget, report: Report): Steps<ApiObject> {
  try {
    checkPatchedType(outcome, target, report);
    yield;
    return reported(yield* decodeOutcomeSteps(outcome, target), outcome, target, report);
  } catch (error) {
    throw asRefusal(error, outcome, target);
  }
}

function checkPatchedType(outcome: PatchOutcome, target: PatchTarget, report: Report): void {
  if (outcome.strategic) return;
  const other = patchedTypeProblem(outcome.patched, outcome.current, target, {
    show: () => showPatch(outcome, target),
    report: (problems) => reportPatched(problems, outcome, target, report),
  });
  if (other !== undefined) throw refusal(other, outcome, target);
}

function reported({ decoded, problems }: DecodedPatch, outcome: PatchOutcome, target: PatchTarget, report: Report) {
  reportPatched(problems, outcome, target, report);
  return decoded;
}

function reportPatched(
  problems: readonly string[],
  outcome: PatchOutcome,
  target: PatchTarget,
  { level, warn }: Report,
): void {
  if (level === "Strict" && problems.length > 0)
    throw refusal(`strict decoding error: ${problems.join(", ")}`, outcome, target);
  if (level === "Warn") problems.forEach(warn);
}

function asRefusal(error: unknown, outcome: PatchOutcome, target: PatchTarget): unknown {
  if (!(error instanceof DecodeError)) return error;
  if (error.fields.length > 0) return refuseFields(error.fields, outcome, target);
  return refusal(outcome.strategic ? error.restoring : error.message, outcome, target);
}

function refusal(why: string, outcome: PatchOutcome, target: PatchTarget): StatusError {
  return invalid({ group: "", kind: "" }, "", [invalidField("patch", showPatch(outcome, target), why)]);
}

/** The error for the project's own kinds: by field, without the whole patched object. */
function refuseFields(fields: readonly WrongField[], { current }: PatchOutcome, target: PatchTarget): StatusError {
  const { group } = target;
  const errors = fields.map(({ field, problem }): FieldError => {
    return { field: field === "" ? "patch" : field, reason: "FieldValueTypeInvalid", message: problem };
  });
  return invalid({ group, kind: target.kind }, current.metadata.name ?? "", errors);
}

interface DecodedPatch {
  readonly decoded: ApiObject;
  readonly problems: readonly string[];
}

/** Decodes the result of a patch. Problems are in the order of the JSON that Kubernetes would write. */
function decodeOutcome(outcome: PatchOutcome, { schema }: PatchTarget): DecodedPatch {
  const { strategic: restores, patched } = outcome;
  const problems: string[] = [];
  const options = { problems, given: true, restores, textOf: patchedTexts(outcome) };
  const decoded = restores
    ? schema.decode(patched, options)
    : decodeInOrder(schema, patched, options, () => orderOf(outcome));
  return { decoded, problems: [...outcome.problems, ...(restores ? problems.toSorted() : problems)] };
}

/** The same for a large object; may be interrupted. */
function* decodeOutcomeSteps(outcome: PatchOutcome, target: PatchTarget): Steps<DecodedPatch> {
  const { schema } = target;
  if (schema.decodeSteps === undefined) return decodeOutcome(outcome, target);
  const { strategic: restores, patched } = outcome;
  const problems: string[] = [];
  const options = { problems, given: true, restores, textOf: patchedTexts(outcome) };
  const decoded = restores
    ? yield* schema.decodeSteps(patched, options)
    : yield* decodeInOrderSteps(schema, patched, options, () => orderOf(outcome));
  return { decoded, problems: [...outcome.problems, ...(restores ? problems.toSorted() : problems)] };
}

function orderOf(outcome: PatchOutcome): KeyOrder {
  return writtenOrder(objectsOf(outcome.current, outcome.patch), givenOrder(outcome));
}

/** The order of the keys in the patch. */
function givenOrder({ body, patch }: PatchOutcome): KeyOrder {
  return keyOrder(body, patch, false) ?? (() => undefined);
}

/** The text of raw data in the result of a patch: unchanged text is only compacted. */
function patchedTexts(outcome: PatchOutcome): (raw: object) => string {
  const { current, patch } = outcome;
  let parts: PatchedParts | undefined;
  return (raw) => {
    const known = notedText(raw);
    if (known !== undefined) return compactJson(known);
    parts ??= { untouched: objectsOf(current, patch), keysOf: givenOrder(outcome) };
    return showPatched(raw, parts);
  };
}

/** How messages show a failed patch: a strategic patch itself, else the result of the patch. */
function showPatch(outcome: PatchOutcome, { custom, schema }: PatchTarget): string {
  const { strategic, body, patch, patched, current } = outcome;
  if (strategic) {
    return goValue(patchAsLeft(current as unknown as JsonObject, patch as JsonObject, schema.mergeType));
  }
  // Objects of custom kinds have no order of fields.
  const untouched = custom ? objectsOf(patch) : objectsOf(current, patch);
  const literals = literalsOf(body.toString("utf8"));
  return showPatched(patched, { untouched, literals, keysOf: givenOrder(outcome) });
}

function objectsOf(...values: unknown[]): ReadonlySet<object> {
  const found = new Set<object>();
  for (const value of values) gatherObjects(value, found);
  return found;
}

/** All objects inside a value, itself included. */
function gatherObjects(value: unknown, found: Set<object>): void {
  if (typeof value !== "object" || value === null) return;
  found.add(value);
  for (const member of Object.values(value)) gatherObjects(member, found);
}

/** Source information about the parts of a patched object. */
interface PatchedParts {
  /** Objects of the old object or of the patch that are unchanged. */
  readonly untouched: ReadonlySet<object>;
  /** Source literals by string value, for strings that the patch escapes differently than this server. */
  readonly literals?: ReadonlyMap<string, string>;
  /** The order of keys in the patch. */
  readonly keysOf: KeyOrder;
}

/** Patched JSON as messages quote it: keys of merged objects are sorted, unchanged objects keep their order. */
function showPatched(patched: unknown, parts: PatchedParts): string {
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

/** The order in which Kubernetes writes the members of a patched object, and reads them again. */
function writtenOrder(untouched: ReadonlySet<object>, keysOf: KeyOrder): KeyOrder {
  return (object) => (untouched.has(object) ? keysOf(object) : sortUtf8(Object.keys(object)));
}

/** Source literals of a patch by string value, if they are escaped differently than by this server: messages keep them. */
function literalsOf(body: string): ReadonlyMap<string, string> {
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
