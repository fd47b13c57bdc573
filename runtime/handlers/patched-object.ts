import type { ApiObject } from "../contract/api-object.ts";
import type { FieldError } from "../contract/field-error.ts";
import type { StatusError } from "../contract/status.ts";
import { compactJson } from "../encoding/json/compact-json.ts";
import { keyOrder } from "../encoding/json/key-order.ts";
import type { KeyOrder } from "../encoding/json/ordered-view.ts";
import { notedText } from "../encoding/json/raw-text.ts";
import { goValue } from "../go/format.ts";
import type { JsonObject } from "../lib/json-object.ts";
import { patchAsLeft } from "../patch/strategic/patch-as-left.ts";
import type { ExpectedType } from "../resource/decode-object.ts";
import { decodeInOrder } from "../schema/decode-in-order.ts";
import { DecodeError, type WrongField } from "../schema/schema-errors.ts";
import { invalidField } from "../values/field-errors.ts";
import { invalid } from "../values/status-errors.ts";
import { type PatchedType, patchedTypeProblem } from "./patched-type.ts";
import type { WriteQuery } from "./query-options.ts";
import { gatherObjects, literalsOf, type PatchedParts, showPatched, writtenOrder } from "./show-patched.ts";

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

export interface PatchTarget extends PatchedType, Pick<ExpectedType, "schema" | "group"> {}

/** Decodes a patched object. A result that is no object of the kind is the fault of the patch (422). */
export function decodePatched(
  outcome: PatchOutcome,
  target: PatchTarget,
  query: Pick<WriteQuery, "fieldValidation">,
  warn: (message: string) => void,
): ApiObject {
  const refuse = (why: string): StatusError =>
    invalid({ group: "", kind: "" }, "", [invalidField("patch", showPatch(outcome, target), why)]);
  const report = (problems: readonly string[]): void => {
    if (query.fieldValidation === "Strict" && problems.length > 0)
      throw refuse(`strict decoding error: ${problems.join(", ")}`);
    if (query.fieldValidation === "Warn") problems.forEach(warn);
  };
  try {
    const show = () => showPatch(outcome, target);
    const other = outcome.strategic
      ? undefined
      : patchedTypeProblem(outcome.patched, outcome.current, target, { show, report });
    if (other !== undefined) throw refuse(other);
    const { decoded, problems } = decodeOutcome(outcome, target);
    report(problems);
    return decoded;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (error.fields.length > 0) throw refuseFields(error.fields, outcome, target);
    throw refuse(outcome.strategic ? error.restoring : error.message);
  }
}

/** The same of an own kind: by field, without the whole object that the patch made. */
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

/** Reads what came of a patch. What there is to tell comes in the order of the text that it would be written as. */
function decodeOutcome(outcome: PatchOutcome, { schema }: PatchTarget): DecodedPatch {
  const { strategic: restores, current, patch, patched } = outcome;
  const problems: string[] = [];
  const options = { problems, given: true, restores, textOf: patchedTexts(outcome) };
  const decoded = restores
    ? schema.decode(patched, options)
    : decodeInOrder(schema, patched, options, () => writtenOrder(objectsOf(current, patch), givenOrder(outcome)));
  return { decoded, problems: [...outcome.problems, ...(restores ? problems.toSorted() : problems)] };
}

/** The order of the keys in what the patch holds. */
function givenOrder({ body, patch }: PatchOutcome): KeyOrder {
  return keyOrder(body, patch, false) ?? (() => undefined);
}

/** The text of raw data in what came of a patch: what nobody touched is only compacted. */
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

/** What a message shows of a patch that makes no object: strategic ones themselves, else what came of them. */
function showPatch(outcome: PatchOutcome, { custom, schema }: PatchTarget): string {
  const { strategic, body, patch, patched, current } = outcome;
  if (strategic) {
    return goValue(patchAsLeft(current as unknown as JsonObject, patch as JsonObject, schema.mergeType));
  }
  // Objects of kinds that are defined at run time have no fields in an order of their own.
  const untouched = custom ? objectsOf(patch) : objectsOf(current, patch);
  const literals = literalsOf(body.toString("utf8"));
  return showPatched(patched, { untouched, literals, keysOf: givenOrder(outcome) });
}

function objectsOf(...values: unknown[]): ReadonlySet<object> {
  const found = new Set<object>();
  for (const value of values) gatherObjects(value, found);
  return found;
}
