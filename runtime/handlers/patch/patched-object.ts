import type { ApiObject } from "../../contract/api-object.ts";
import { compactJson } from "../../encoding/json/compact-json.ts";
import { keyOrderSteps } from "../../encoding/json/key-order.ts";
import type { KeyOrder } from "../../encoding/json/ordered-view.ts";
import { notedText } from "../../encoding/json/raw-text.ts";
import { escapeForHtml, stringifyJson } from "../../encoding/json/stringify-json.ts";
import { goValueSteps } from "../../go/format.ts";
import { sortUtf8Steps } from "../../lib/compare-utf8.ts";
import { FloatLiteral } from "../../lib/float-literal.ts";
import { atOnce, type Steps } from "../../lib/in-turns.ts";
import { isJsonObject, type JsonObject, MEMBERS_PER_STEP } from "../../lib/json-object.ts";
import { patchAsLeftSteps } from "../../patch/strategic/patch-as-left.ts";
import type { ExpectedType } from "../../resource/decode-object.ts";
import { decodeInOrder, decodeInOrderSteps } from "../../schema/decode-in-order.ts";
import { DecodeError } from "../../schema/schema-errors.ts";
import { invalidField } from "../../values/field-errors.ts";
import { invalid, plainFailure } from "../../values/status-errors.ts";
import type { WriteQuery } from "../query-options.ts";
import { type PatchedType, patchedTypeProblem } from "./patched-type.ts";
import { refuseFields } from "./wrong-patch.ts";

const NO_LITERALS: ReadonlyMap<string, string> = new Map();

/** The result of a patch, before it is decoded as an object of the kind. */
export interface PatchOutcome {
  /** Strategic merge patches cannot change `apiVersion` and `kind`. Other patches can, but must not. */
  readonly strategic: boolean;
  readonly body: Buffer;
  readonly patch: unknown;
  readonly current: ApiObject;
  readonly patched: unknown;
  /** Errors of strict decoding in the patch itself. */
  readonly problems: readonly string[];
}

export interface PatchTarget extends PatchedType, Pick<ExpectedType, "schema" | "group" | "unconvertible"> {
  /** Whether the write keeps the status of the live object. If the patch does not change it either, the status is not decoded. */
  readonly keepsStatus?: boolean;
}

/** How problems of a patched object are reported: `level` is `fieldValidation`. */
interface Report {
  readonly level: WriteQuery["fieldValidation"];
  readonly warn: (message: string) => void;
}

/** Decodes a patched object. Throws 422 for the patch if the result is not a valid object of the kind. */
export function decodePatched(outcome: PatchOutcome, target: PatchTarget, report: Report): ApiObject {
  try {
    checkPatchedType(outcome, target, report);
    return reported(decodeOutcome(outcome, target), outcome, target, report);
  } catch (error) {
    throw atOnce(refusalSteps(error, outcome, target));
  }
}

/** Like `decodePatched`, for a large object, in steps between which the caller may pause. */
export function* decodePatchedSteps(outcome: PatchOutcome, target: PatchTarget, report: Report): Steps<ApiObject> {
  try {
    checkPatchedType(outcome, target, report);
    yield;
    return reported(yield* decodeOutcomeSteps(outcome, target), outcome, target, report);
  } catch (error) {
    throw yield* refusalSteps(error, outcome, target);
  }
}

function checkPatchedType(outcome: PatchOutcome, target: PatchTarget, report: Report): void {
  if (outcome.strategic) return;
  const other = patchedTypeProblem(outcome.patched, outcome.current, target, {
    show: () => atOnce(showPatchSteps(outcome, target)),
    report: (problems) => reportPatched(problems, report),
  });
  if (other !== undefined) throw new RefusedPatch(other);
}

function reported(
  { decoded, problems }: DecodedPatch,
  { strategic }: PatchOutcome,
  { unconvertible }: PatchTarget,
  report: Report,
): ApiObject {
  const problem = unconvertible?.(decoded);
  if (problem !== undefined && !strategic) throw new RefusedPatch(problem);
  reportPatched(problems, report);
  if (problem !== undefined) throw plainFailure(problem);
  return decoded;
}

function reportPatched(problems: readonly string[], { level, warn }: Report): void {
  if (level === "Strict" && problems.length > 0)
    throw new RefusedPatch(`strict decoding error: ${problems.join(", ")}`);
  if (level === "Warn") problems.forEach(warn);
}

/** The result of a patch is invalid. The error message contains the patch and the reason. */
class RefusedPatch extends Error {}

/** Translates an error of decoding the patched object to the error of the request. Works in steps between which the caller may pause. */
function* refusalSteps(error: unknown, outcome: PatchOutcome, target: PatchTarget): Steps<unknown> {
  if (!(error instanceof DecodeError || error instanceof RefusedPatch)) return error;
  if (error instanceof DecodeError && error.fields.length > 0)
    return refuseFields(error.fields, target, outcome.current.metadata.name ?? "");
  const why = error instanceof DecodeError && outcome.strategic ? error.restoring : error.message;
  yield;
  const shown = yield* showPatchSteps(outcome, target);
  yield;
  const refusal = invalid({ group: "", kind: "" }, "", [invalidField("patch", shown, why)]);
  // The caller encodes the error in another turn.
  yield;
  return refusal;
}

interface DecodedPatch {
  readonly decoded: ApiObject;
  readonly problems: readonly string[];
}

/** Decodes the result of a patch. Problems are in the order of the JSON that Kubernetes would write. */
function decodeOutcome(outcome: PatchOutcome, { schema, keepsStatus }: PatchTarget): DecodedPatch {
  const { strategic: restores, patched } = outcome;
  const problems: string[] = [];
  const ready = keepsStatus ? untouchedStatus(outcome) : undefined;
  const options = { problems, given: true, restores, textOf: patchedTexts(outcome), ready };
  const decoded = restores
    ? schema.decode(patched, options)
    : decodeInOrder(schema, patched, options, () => orderSteps(outcome));
  return { decoded, problems: [...outcome.problems, ...(restores ? problems.toSorted() : problems)] };
}

/** A set with the previous status, if the patch does not change it. */
function untouchedStatus({ current: { status }, patched }: PatchOutcome): ReadonlySet<object> | undefined {
  return isJsonObject(status) && isJsonObject(patched) && patched.status === status ? new Set([status]) : undefined;
}

/** Like `decodeOutcome`, for a large object, in steps between which the caller may pause. */
function* decodeOutcomeSteps(outcome: PatchOutcome, target: PatchTarget): Steps<DecodedPatch> {
  const { schema } = target;
  if (schema.decodeSteps === undefined) return decodeOutcome(outcome, target);
  const { strategic: restores, patched } = outcome;
  const problems: string[] = [];
  const options = { problems, given: true, restores, textOf: patchedTexts(outcome) };
  const decoded = restores
    ? yield* schema.decodeSteps(patched, options)
    : yield* decodeInOrderSteps(schema, patched, options, () => orderSteps(outcome));
  return { decoded, problems: [...outcome.problems, ...(restores ? problems.toSorted() : problems)] };
}

function* orderSteps(outcome: PatchOutcome): Steps<KeyOrder> {
  const untouched = yield* objectsSteps(outcome.current, outcome.patch);
  return writtenOrder(untouched, yield* givenOrderSteps(outcome));
}

/** The order of keys in the patch. */
function* givenOrderSteps({ body, patch }: PatchOutcome): Steps<KeyOrder> {
  return (yield* keyOrderSteps(body, patch, false)) ?? asTheyAre;
}

function* asTheyAre(): Steps<undefined> {
  yield;
}

/** Returns the text of raw data in the result of a patch. Unchanged text is only compacted. */
function patchedTexts(outcome: PatchOutcome): (raw: object) => string {
  const { current, patch } = outcome;
  let parts: PatchedParts | undefined;
  return (raw) => {
    const known = notedText(raw);
    if (known !== undefined) return compactJson(known);
    parts ??= { untouched: atOnce(objectsSteps(current, patch)), keysOf: atOnce(givenOrderSteps(outcome)) };
    return atOnce(showPatchedSteps(raw, parts));
  };
}

/** How messages show a failed patch: the strategic merge patch itself, or the result of any other patch. */
function* showPatchSteps(outcome: PatchOutcome, { custom, schema }: PatchTarget): Steps<string> {
  const { strategic, body, patch, patched, current } = outcome;
  if (strategic) {
    const live = current as unknown as JsonObject;
    return yield* goValueSteps(yield* patchAsLeftSteps(live, patch as JsonObject, schema.mergeType));
  }
  // Objects of custom kinds have no order of fields.
  const untouched = custom ? yield* objectsSteps(patch) : yield* objectsSteps(current, patch);
  const literals = yield* literalsSteps(body.toString("utf8"));
  return yield* showPatchedSteps(patched, { untouched, literals, keysOf: yield* givenOrderSteps(outcome) });
}

/** All objects inside these values, including the values. */
function* objectsSteps(...values: unknown[]): Steps<ReadonlySet<object>> {
  const found = new Set<object>();
  const open = values.filter(isContainer);
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    found.add(value);
    if (found.size % MEMBERS_PER_STEP === 0) yield;
    let count = 0;
    for (const key in value) {
      if (++count % MEMBERS_PER_STEP === 0) yield;
      const member = (value as Readonly<Record<string, unknown>>)[key];
      if (isContainer(member) && !found.has(member)) open.push(member);
    }
  }
  return found;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Source information about the parts of a patched object. */
interface PatchedParts {
  /** Objects that were taken unchanged from the old object or the patch. */
  readonly untouched: ReadonlySet<object>;
  /** Source literals by string value, for strings that the patch escapes differently than this server. */
  readonly literals?: ReadonlyMap<string, string>;
  /** The order of keys in the patch. */
  readonly keysOf: KeyOrder;
}

/**
 * Prints patched JSON as messages quote it: keys of merged objects are sorted, unchanged objects keep their order. Works in steps between
 * which the caller may pause.
 */
function* showPatchedSteps(patched: unknown, parts: PatchedParts): Steps<string> {
  const { untouched, literals = NO_LITERALS, keysOf } = parts;
  if (typeof patched === "string") return literals.get(patched) ?? stringifyJson(patched);
  if (patched instanceof FloatLiteral) return patched.text;
  if (!isContainer(patched)) return stringifyJson(patched);
  const shown: string[] = [];
  if (Array.isArray(patched)) {
    for (const item of patched) {
      if (shown.length % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
      shown.push(yield* showPatchedSteps(item, parts));
    }
    return `[${shown.join(",")}]`;
  }
  const isOwn = !untouched.has(patched);
  const name = (key: string) => (isOwn ? undefined : literals.get(key)) ?? stringifyJson(key);
  const keys = (yield* writtenOrder(untouched, keysOf)(patched)) ?? Object.keys(patched);
  const members = patched as Readonly<Record<string, unknown>>;
  for (const key of keys) {
    if (shown.length % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
    shown.push(`${name(key)}:${yield* showPatchedSteps(members[key], parts)}`);
  }
  return `{${shown.join(",")}}`;
}

/** The order in which Kubernetes writes, and then reads again, the members of a patched object. */
function writtenOrder(untouched: ReadonlySet<object>, keysOf: KeyOrder): KeyOrder {
  return (object) => (untouched.has(object) ? keysOf(object) : sortUtf8Steps(Object.keys(object)));
}

/** Source literals of a patch by string value, if their escaping differs from that of this server: messages keep them. */
function* literalsSteps(body: string): Steps<ReadonlyMap<string, string>> {
  const literals = new Map<string, string>();
  if (!body.includes("\\")) return literals;
  let count = 0;
  for (const [literal] of body.matchAll(/"(?:[^"\\]|\\.)*"?/gs)) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
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
