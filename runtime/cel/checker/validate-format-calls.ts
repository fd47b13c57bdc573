import { clauseMismatch, type FormatVerb, parseTemplate } from "../libraries/format-template.ts";
import type { IssueList } from "../syntax/issue.ts";
import { type CelType, formatType } from "../types/cel-type.ts";
import type { StructNames } from "../types/struct-names.ts";
import { typeNameOfType } from "../values/kinds.ts";
import { validateChildren } from "./literal-validators.ts";
import { type CallNode, childrenOf, type TypedNode } from "./typed-node.ts";

/** Reports calls of `format` that cannot succeed, if the format string and the list of arguments are literals. */
export function validateFormatCalls(node: TypedNode, issues: IssueList, structName?: StructNames): void {
  if (node.kind === "call" && node.function === "format" && node.member) validateCall(node, issues, structName);
  validateChildren(node, issues, (child) => validateFormatCalls(child, issues, structName));
}

function validateCall(node: CallNode, issues: IssueList, structName?: StructNames): void {
  const [template, list] = node.args;
  if (template?.kind !== "constant" || typeof template.value !== "string" || list?.kind !== "list") return;
  const args = list.elements.map(({ value }) => value);
  const { clauses, problem } = parseTemplate(template.value);
  for (const [i, { verb }] of clauses.entries()) {
    const arg = args[i];
    if (arg === undefined) return issues.add("literal", node.offset, `index ${i} out of range`);
    const unfit = findUnfit(verb, arg);
    if (unfit === undefined) continue;
    const mismatch = clauseMismatch(verb, nameOf(unfit.type, structName));
    return issues.add("type", unfit.offset, `error during formatting: ${mismatch}`);
  }
  if (problem !== undefined) return issues.add("literal", node.offset, problem);
  if (args.length <= clauses.length) return;
  const counts = `(expected ${clauses.length}, got ${args.length})`;
  issues.add("literal", node.offset, `too many arguments supplied to string.format ${counts}`);
}

const nameOf = (type: CelType, structName?: StructNames): string =>
  type.kind === "struct" ? formatType(type, structName) : typeNameOfType(type);

const INTEGERS = ["int", "uint"] as const;
/** Strings are accepted for doubles because of `NaN` and `Infinity`. */
const DOUBLES = ["double", "string"] as const;
const ACCEPTED: Record<FormatVerb, ReadonlySet<CelType["kind"]>> = {
  s: new Set([
    ...INTEGERS,
    ...DOUBLES,
    "list",
    "map",
    "bool",
    "timestamp",
    "duration",
    "bytes",
    "type",
    "null",
  ] satisfies CelType["kind"][]),
  d: new Set(INTEGERS),
  f: new Set(DOUBLES),
  e: new Set(DOUBLES),
  b: new Set([...INTEGERS, "bool"] satisfies CelType["kind"][]),
  o: new Set(INTEGERS),
  x: new Set([...INTEGERS, "string", "bytes"] satisfies CelType["kind"][]),
  X: new Set([...INTEGERS, "string", "bytes"] satisfies CelType["kind"][]),
};

/** Returns the argument, or the part of a list or map literal in it, whose type the clause does not accept. */
function findUnfit(verb: FormatVerb, node: TypedNode): TypedNode | undefined {
  if (node.type.kind !== "dyn" && !ACCEPTED[verb].has(node.type.kind)) return node;
  if (verb !== "s" || (node.kind !== "list" && node.kind !== "map")) return undefined;
  for (const child of childrenOf(node)) {
    const unfit = findUnfit(verb, child);
    if (unfit !== undefined) return unfit;
  }
  return undefined;
}
