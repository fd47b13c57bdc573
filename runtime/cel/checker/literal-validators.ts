import { invoke } from "../libraries/library.ts";
import type { IssueList } from "../syntax/issue.ts";
import { type CelType, formatType, sameType, unwrapOptional } from "../types/cel-type.ts";
import type { StructNames } from "../types/struct-names.ts";
import { compilePattern } from "../values/patterns.ts";
import { type CallNode, childrenOf, type TypedNode } from "./typed-node.ts";

/** Checks of the first argument (not counting a receiver) of a function, if it is a literal. Keyed by function. */
const VALIDATED: Record<string, (node: CallNode, literal: unknown) => boolean> = {
  duration: canEvaluate,
  timestamp: canEvaluate,
  // In the global form `matches(text, pattern)` Kubernetes validates the text as if it were the pattern.
  matches: (_node, literal) => typeof literal !== "string" || isPattern(literal),
};

/** Finds malformed durations, timestamps and patterns before they fail at run time. */
export function validateLiterals(node: TypedNode, issues: IssueList): void {
  if (node.kind === "call") validateCall(node, issues);
  validateChildren(node, issues, (child) => validateLiterals(child, issues));
}

/** Validates the children of a node. Kubernetes visits the target of `optMap` twice, so its issues are repeated. */
export function validateChildren(node: TypedNode, issues: IssueList, validate: (child: TypedNode) => void): void {
  for (const child of childrenOf(node)) {
    const { count } = issues;
    validate(child);
    if (node.kind === "optMap" && child === node.target) issues.repeatFrom(count);
  }
}

function validateCall(node: CallNode, issues: IssueList): void {
  const isValid = Object.hasOwn(VALIDATED, node.function) ? VALIDATED[node.function] : undefined;
  const argument = node.args[node.member ? 1 : 0];
  if (isValid === undefined || argument?.kind !== "constant") return;
  if (!isValid(node, argument.value)) issues.add("literal", argument.offset, `invalid ${node.function} argument`);
}

function canEvaluate({ candidates }: CallNode, literal: unknown): boolean {
  const overload = candidates[0]?.overload;
  try {
    if (overload !== undefined && candidates.length === 1) invoke(overload, [literal]);
    return true;
  } catch {
    return false;
  }
}

function isPattern(text: string): boolean {
  try {
    compilePattern(text);
    return true;
  } catch {
    return false;
  }
}

/** The only function that accepts arguments of mixed types. */
const TAKES_MIXED = "format";

/**
 * Rejects list and map literals whose elements have different types, except in calls of `format`. For a list only the first mismatch is
 * reported, for a map all of them.
 */
export function validateHomogeneity(node: TypedNode, issues: IssueList, structName?: StructNames): void {
  if (node.kind === "call" && node.function === TAKES_MIXED) return;
  if (node.kind === "list") {
    const elements = node.elements.map(({ value, optional }) => typed(value, optional));
    for (const issue of mismatches(elements, structName).slice(0, 1)) issues.add("type", issue.offset, issue.message);
  } else if (node.kind === "map") {
    const keys = mismatches(
      node.entries.map(({ key }) => typed(key, false)),
      structName,
    );
    const values = mismatches(
      node.entries.map(({ value, optional }) => typed(value, optional)),
      structName,
    );
    for (const issue of [...keys, ...values]) issues.add("type", issue.offset, issue.message);
  }
  validateChildren(node, issues, (child) => validateHomogeneity(child, issues, structName));
}

interface TypedElement {
  readonly offset: number;
  readonly type: CelType;
}

const typed = ({ offset, type }: TypedNode, optional: boolean): TypedElement => ({
  offset,
  type: optional ? unwrapOptional(type) : type,
});

function mismatches(
  [first, ...others]: readonly TypedElement[],
  structName: StructNames | undefined,
): { offset: number; message: string }[] {
  if (first === undefined) return [];
  const different = others.filter(({ type }) => !sameType(type, first.type));
  return different.map(({ offset, type }) => ({
    offset,
    message: `expected type '${formatType(first.type, structName)}' but found '${formatType(type, structName)}'`,
  }));
}
