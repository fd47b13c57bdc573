import type { FieldError } from "./field-error.ts";

/**
 * Stand-ins, in what `validateUpdate` and `validateSubresource` of a kind return, for what the server finds itself: they
 * say when Kubernetes tells of it, and how often. A list without any is told last.
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

export function isStandIn(error: FieldError): boolean {
  return error === METADATA_AS_NEW || error === METADATA_AS_CHANGE || error === DECLARED_RULES;
}

/** The list with what the server found in place of the stand-ins. Declared rules come first where nobody placed them. */
export function withFindings(errors: readonly FieldError[], findings: ServerFindings): FieldError[] {
  const found = new Map([
    [METADATA_AS_NEW, findings.asNew],
    [METADATA_AS_CHANGE, findings.asChange],
    [DECLARED_RULES, findings.declared],
  ]);
  const leading = errors.findIndex((error) => !isStandIn(error));
  const start = leading === -1 ? errors.length : leading;
  const placed = errors.includes(DECLARED_RULES) ? errors : errors.toSpliced(start, 0, DECLARED_RULES);
  return placed.flatMap((error) => found.get(error) ?? [error]);
}

function standIn(message: string): FieldError {
  return Object.freeze({ field: "", reason: "InternalError", message });
}
