import { childrenOf, type TypedNode } from "../checker/typed-node.ts";
import { invoke } from "../libraries/library.ts";
import { type CelType, sameType } from "../types/cel-type.ts";
import { CelMap, TypeValue } from "../values/containers.ts";
import { EvaluationError } from "../values/evaluation-error.ts";
import { fromDynamic, toDynamic } from "../values/json.ts";
import { typeNameOf } from "../values/kinds.ts";
import { compilePattern } from "../values/patterns.ts";
import { dispatch } from "./support.ts";

const CONVERSIONS = new Set(
  "bool bytes double duration dyn int string timestamp type uint".split(" ") as readonly string[],
);
/** Functions whose second argument (counting the receiver) is a pattern. */
const PATTERN_FUNCTIONS = new Set<string>(["matches", "find", "findAll"]);

export interface Folded {
  readonly value: unknown;
}

type Outcome = Folded | EvaluationError | undefined;

const outcomes = new WeakMap<TypedNode, { readonly outcome: Outcome }>();

/**
 * Returns the value of a node that is the same in every evaluation: literals, lists and maps of them, and conversions of them. These nodes
 * are also free in Kubernetes' model of run-time cost.
 */
export function fold(node: TypedNode): Folded | undefined {
  const outcome = outcomeOf(node);
  return outcome instanceof EvaluationError ? undefined : outcome;
}

/**
 * Returns the reason why no program can be created from an expression: the first failing conversion of a constant or invalid constant pattern,
 * in order of evaluation. Kubernetes converts constants and compiles patterns when it creates a program.
 */
export function findProgramError(node: TypedNode): string | undefined {
  for (const child of childrenOf(node)) {
    const error = findProgramError(child);
    if (error !== undefined) return error;
  }
  const outcome = outcomeOf(node);
  return outcome instanceof EvaluationError ? outcome.message : findPatternError(node);
}

/** Returns the constant pattern of a call. Kubernetes replaces the function of such a call by a specialized one. */
export function constantPattern(node: TypedNode): string | undefined {
  if (node.kind !== "call" || !PATTERN_FUNCTIONS.has(node.function)) return undefined;
  const value = node.args[1] === undefined ? undefined : fold(node.args[1])?.value;
  return typeof value === "string" ? value : undefined;
}

function findPatternError(node: TypedNode): string | undefined {
  const pattern = constantPattern(node);
  if (pattern === undefined) return undefined;
  const outcome = attempt(() => compilePattern(pattern));
  return outcome instanceof EvaluationError ? outcome.message : undefined;
}

function outcomeOf(node: TypedNode): Outcome {
  const known = outcomes.get(node);
  if (known !== undefined) return known.outcome;
  const outcome = computeOutcome(node);
  outcomes.set(node, { outcome });
  return outcome;
}

function computeOutcome(node: TypedNode): Outcome {
  switch (node.kind) {
    case "constant":
      return node;
    case "list":
      return foldList(node);
    case "map":
      return foldMap(node);
    case "call":
      return isInNothing(node) ? { value: false } : foldConversion(node);
    default:
      return undefined;
  }
}

function foldList(node: TypedNode & { kind: "list" }): Folded | undefined {
  if (node.type.kind !== "list") return undefined;
  const values: unknown[] = [];
  for (const { value, optional } of node.elements) {
    const folded = optional ? undefined : foldAs(value, node.type.element);
    if (folded === undefined) return undefined;
    values.push(folded.value);
  }
  return { value: values };
}

/** Returns the constant value of a node as a value of `type`, which is the node's type or dyn. */
function foldAs(node: TypedNode, type: CelType): Folded | undefined {
  const folded = fold(node);
  if (folded === undefined || sameType(node.type, type)) return folded;
  return type.kind === "dyn" ? { value: toDynamic(folded.value, node.type) } : undefined;
}

/** Folds a map. A map that cannot be constructed is not folded: it fails only if it is evaluated. */
function foldMap(node: TypedNode & { kind: "map" }): Folded | undefined {
  if (node.type.kind !== "map") return undefined;
  const entries: [unknown, unknown][] = [];
  for (const entry of node.entries) {
    const key = foldAs(entry.key, node.type.key);
    const value = foldAs(entry.value, node.type.value);
    if (entry.optional || key === undefined || value === undefined) return undefined;
    entries.push([key.value, value.value]);
  }
  const outcome = attempt(() => CelMap.of(entries));
  return outcome instanceof EvaluationError ? undefined : outcome;
}

/** Whether a call is `x in []`, which is false without an evaluation of `x`. */
function isInNothing({ function: name, args }: TypedNode & { kind: "call" }): boolean {
  const [, list] = args;
  if (name !== "@in" || list?.type.kind !== "list") return false;
  const value = fold(list)?.value;
  return Array.isArray(value) && value.length === 0;
}

function foldConversion(node: TypedNode & { kind: "call" }): Outcome {
  const [argument, ...more] = node.args;
  if (!CONVERSIONS.has(node.function) || node.member || argument === undefined || more.length > 0) return undefined;
  const folded = fold(argument);
  return folded === undefined ? undefined : attempt(() => convert(node, folded.value, argument.type));
}

function convert({ function: name, candidates, type }: TypedNode & { kind: "call" }, value: unknown, from: CelType) {
  if (name === "dyn") return toDynamic(value, from);
  if (name === "type") return new TypeValue(typeNameOf(toDynamic(value, from)));
  const [candidate, ...others] = candidates;
  if (candidate !== undefined && others.length === 0 && candidate.params[0]?.kind === from.kind)
    return invoke(candidate.overload, [value]);
  const overloads = candidates.map(({ overload }) => overload);
  const converted = dispatch(name, overloads, [toDynamic(value, from)]);
  return type.kind === "double" ? fromDynamic(converted) : converted;
}

function attempt(compute: () => unknown): Folded | EvaluationError {
  try {
    return { value: compute() };
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}
