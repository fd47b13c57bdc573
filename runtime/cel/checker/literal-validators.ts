import type { IssueList } from "../syntax/issue.ts";
import { type CelType, formatType, sameType, unwrapOptional } from "../types/cel-type.ts";
import { compilePattern } from "../values/patterns.ts";
import { parseDuration, parseTimestamp } from "../values/time.ts";
import { type CallNode, childrenOf, type TypedNode } from "./typed-node.ts";

/** Which argument of a function is checked if it is a literal, and how. */
const VALIDATED: Record<string, { argument: number; valid: (text: string) => boolean }> = {
  duration: { argument: 0, valid: (text) => parseDuration(text) !== undefined },
  timestamp: { argument: 0, valid: (text) => parseTimestamp(text) !== undefined },
  matches: { argument: 1, valid: isPattern },
};

/** Finds malformed durations, timestamps and patterns before they fail at run time. */
export function validateLiterals(node: TypedNode, issues: IssueList): void {
  if (node.kind === "call") validateCall(node, issues);
  for (const child of childrenOf(node)) validateLiterals(child, issues);
}

function validateCall(node: CallNode, issues: IssueList): void {
  const rule = Object.hasOwn(VALIDATED, node.function) ? VALIDATED[node.function] : undefined;
  const argument = rule === undefined ? undefined : node.args[rule.argument];
  if (rule === undefined || argument?.kind !== "constant" || typeof argument.value !== "string") return;
  if (!rule.valid(argument.value)) issues.add("literal", argument.offset, `invalid ${node.function} argument`);
}

function isPattern(text: string): boolean {
  try {
    compilePattern(text);
    return true;
  } catch {
    return false;
  }
}

/** The one function whose arguments are meant to be of mixed types. */
const TAKES_MIXED = "format";

/** Refuses list and map literals whose elements have different types, except to format them. */
export function validateHomogeneity(node: TypedNode, issues: IssueList): void {
  if (node.kind === "call" && node.function === TAKES_MIXED) return;
  if (node.kind === "list") {
    const elements = node.elements.map(({ value, optional }) => typed(value, optional));
    expectSameTypes(elements, issues);
  } else if (node.kind === "map") {
    expectSameTypes(
      node.entries.map(({ key }) => typed(key, false)),
      issues,
    );
    expectSameTypes(
      node.entries.map(({ value, optional }) => typed(value, optional)),
      issues,
    );
  }
  for (const child of childrenOf(node)) validateHomogeneity(child, issues);
}

interface TypedElement {
  readonly offset: number;
  readonly type: CelType;
}

const typed = ({ offset, type }: TypedNode, optional: boolean): TypedElement => ({
  offset,
  type: optional ? unwrapOptional(type) : type,
});

function expectSameTypes([first, ...others]: readonly TypedElement[], issues: IssueList): void {
  const other = others.find(({ type }) => first !== undefined && !sameType(type, first.type));
  if (first === undefined || other === undefined) return;
  issues.add("type", other.offset, `expected type '${formatType(first.type)}' but found '${formatType(other.type)}'`);
}
