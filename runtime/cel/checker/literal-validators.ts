import type { IssueList } from "../syntax/issue.ts";
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
