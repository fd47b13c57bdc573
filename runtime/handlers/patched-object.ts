import type { ApiObject } from "../contract/api-object.ts";
import { invalid, type StatusError } from "../contract/status.ts";
import { compactJson } from "../encoding/json/compact-json.ts";
import { notedText } from "../encoding/json/raw-text.ts";
import { invalidField } from "../lib/field-errors.ts";
import { goValue } from "../lib/go-format.ts";
import type { JsonObject } from "../lib/json-object.ts";
import { patchAsLeft } from "../patch/strategic/patch-as-left.ts";
import type { ExpectedType } from "../resource/decode-object.ts";
import { DecodeError } from "../schema/schema-errors.ts";
import { type PatchedType, patchedTypeProblem } from "./patched-type.ts";
import type { WriteQuery } from "./query-options.ts";
import { asWritten, gatherObjects, literalsOf, showPatched } from "./show-patched.ts";

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

export interface PatchTarget extends PatchedType, Pick<ExpectedType, "schema"> {}

/** Decodes a patched object. A result that is no object of the kind is the fault of the patch (422). */
export function decodePatched(
  outcome: PatchOutcome,
  target: PatchTarget,
  query: Pick<WriteQuery, "fieldValidation">,
  warn: (message: string) => void,
): ApiObject {
  const refuse = (why: string): StatusError =>
    invalid({ group: "", kind: "" }, "", [invalidField("patch", showPatch(outcome, target), why)]);
  try {
    const other = outcome.strategic
      ? undefined
      : patchedTypeProblem(outcome.patched, outcome.current, target, () => showPatch(outcome, target));
    if (other !== undefined) throw refuse(other);
    const { decoded, problems } = decodeOutcome(outcome, target);
    if (query.fieldValidation === "Strict" && problems.length > 0)
      throw refuse(`strict decoding error: ${problems.join(", ")}`);
    if (query.fieldValidation === "Warn") problems.forEach(warn);
    return decoded;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw refuse(outcome.strategic ? error.restoring : error.message);
  }
}

interface DecodedPatch {
  readonly decoded: ApiObject;
  readonly problems: readonly string[];
}

/** Reads what came of a patch. The order counts only where there is something to tell: then it is that of the written text. */
function decodeOutcome(outcome: PatchOutcome, target: PatchTarget): DecodedPatch {
  const { strategic: restores, current, patch, patched } = outcome;
  const textOf = patchedTexts(outcome);
  const read = (value: unknown): DecodedPatch => {
    const problems = [...outcome.problems];
    const decoded = target.schema.decode(value, { problems, given: true, restores, textOf });
    return { decoded, problems: restores ? problems.toSorted() : problems };
  };
  const readAsWritten = () => read(asWritten(patched, objectsOf(current, patch)));
  try {
    const result = read(patched);
    return restores || result.problems.length < 2 ? result : readAsWritten();
  } catch (error) {
    if (restores || !(error instanceof DecodeError)) throw error;
    return readAsWritten();
  }
}

/** The text of raw data in what came of a patch: what nobody touched is only compacted. */
function patchedTexts({ current, patch }: PatchOutcome): (raw: object) => string {
  let untouched: ReadonlySet<object> | undefined;
  return (raw) => {
    const known = notedText(raw);
    if (known !== undefined) return compactJson(known);
    untouched ??= objectsOf(current, patch);
    return showPatched(raw, untouched);
  };
}

/** What a message shows of a patch that makes no object: strategic ones themselves, else what came of them. */
function showPatch(
  { strategic, body, patch, patched, current }: PatchOutcome,
  { custom, schema }: PatchTarget,
): string {
  if (strategic) {
    return goValue(patchAsLeft(current as unknown as JsonObject, patch as JsonObject, schema.mergeType));
  }
  // Objects of kinds that are defined at run time have no fields in an order of their own.
  const untouched = custom ? objectsOf(patch) : objectsOf(current, patch);
  return showPatched(patched, untouched, literalsOf(body.toString("utf8")));
}

function objectsOf(...values: unknown[]): ReadonlySet<object> {
  const found = new Set<object>();
  for (const value of values) gatherObjects(value, found);
  return found;
}
