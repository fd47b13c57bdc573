import type { FieldError } from "./field-error.ts";

/**
 * Stand-ins, in what `validate`, `validateUpdate` and `validateSubresource` of a kind return, for what the server finds
 * itself: they say when Kubernetes tells of it, and how often. A list without any is told last.
 */
export const METADATA_AS_NEW = standIn("metadata as that of a new object");
export const METADATA_AS_CHANGE = standIn("metadata as a change");
export const DECLARED_RULES = standIn("declared rules");

/** What the stand-ins stand for. */
export interface ServerFindings {
  readonly asNew: readonly FieldError[];
  readonly asChange: readonly FieldError[];
  readonly declared: readonly FieldError[];
}

const ofFields = new Map<string, FieldError>();

/** Stands for the declared rules of one field and of what is below it. */
export function declaredRulesOf(field: string): FieldError {
  let known = ofFields.get(field);
  if (known === undefined) ofFields.set(field, (known = standIn("declared rules of a field", field)));
  return known;
}

export function isStandIn(error: FieldError): boolean {
  return standsForAll(error) || ofFields.get(error.field) === error;
}

/** Whether it stands for more than one field, so that a kind that has it says when the server tells of anything. */
export function standsForAll(error: FieldError): boolean {
  return error === METADATA_AS_NEW || error === METADATA_AS_CHANGE || error === DECLARED_RULES;
}

/** The list with what the server found in place of the stand-ins. Declared rules come first where nobody placed them. */
export function withFindings(errors: readonly FieldError[], findings: ServerFindings): FieldError[] {
  const { declared } = findings;
  const places = errors.filter((error) => isStandIn(error) && !standsForAll(error));
  const isPlaced = (error: FieldError) => places.some((place) => isWithin(error, place));
  const found = new Map([
    [METADATA_AS_NEW, findings.asNew],
    [METADATA_AS_CHANGE, findings.asChange],
    [DECLARED_RULES, declared.filter((error) => !isPlaced(error))],
  ]);
  const ofField = (place: FieldError) => declared.filter((error) => isWithin(error, place));
  const leading = errors.findIndex((error) => error !== METADATA_AS_NEW && error !== METADATA_AS_CHANGE);
  const start = leading === -1 ? errors.length : leading;
  const placed = errors.includes(DECLARED_RULES) ? errors : errors.toSpliced(start, 0, DECLARED_RULES);
  return placed.flatMap((error) => found.get(error) ?? (isStandIn(error) ? ofField(error) : [error]));
}

function isWithin({ field }: FieldError, { field: outer }: FieldError): boolean {
  return field.startsWith(outer) && [undefined, ".", "["].includes(field[outer.length]);
}

function standIn(message: string, field = ""): FieldError {
  return Object.freeze({ field, reason: "InternalError", message });
}
