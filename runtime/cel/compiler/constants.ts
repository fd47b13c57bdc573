import type { TypedNode } from "../checker/typed-node.ts";
import { sameType } from "../types/cel-type.ts";
import { CelMap } from "../values/containers.ts";

const CONVERSIONS = new Set(["bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint"]);

export interface Folded {
  readonly value: unknown;
}

/**
 * The value of a node that is the same in every evaluation: literals, lists and maps of them, and conversions of
 * them. The same nodes are free in Kubernetes' model of run-time cost.
 */
export function fold(node: TypedNode): Folded | undefined {
  switch (node.kind) {
    case "constant":
      return node;
    case "list":
      return foldList(node);
    case "map":
      return foldMap(node);
    case "call":
      return foldConversion(node);
    default:
      return undefined;
  }
}

function foldList(node: TypedNode & { kind: "list" }): Folded | undefined {
  if (node.type.kind !== "list") return undefined;
  const values: unknown[] = [];
  for (const { value, optional } of node.elements) {
    const folded = optional || !sameType(value.type, node.type.element) ? undefined : fold(value);
    if (folded === undefined) return undefined;
    values.push(folded.value);
  }
  return { value: values };
}

function foldMap(node: TypedNode & { kind: "map" }): Folded | undefined {
  if (node.type.kind !== "map" || node.type.key.kind === "double") return undefined;
  const entries: [unknown, unknown][] = [];
  for (const entry of node.entries) {
    const typed = sameType(entry.key.type, node.type.key) && sameType(entry.value.type, node.type.value);
    const key = fold(entry.key);
    const value = fold(entry.value);
    if (entry.optional || !typed || key === undefined || value === undefined) return undefined;
    entries.push([key.value, value.value]);
  }
  return attempt(() => CelMap.of(entries));
}

function foldConversion(node: TypedNode & { kind: "call" }): Folded | undefined {
  const [candidate, ...others] = node.candidates;
  const [argument] = node.args;
  if (!CONVERSIONS.has(node.function) || candidate === undefined || argument === undefined) return undefined;
  if (others.length > 0 || argument.type.kind !== candidate.params[0]?.kind) return undefined;
  const folded = fold(argument);
  return folded === undefined ? undefined : attempt(() => candidate.overload.implement(folded.value));
}

/** What cannot be computed is not constant: it fails when, and only if, it is evaluated. */
function attempt(compute: () => unknown): Folded | undefined {
  try {
    return { value: compute() };
  } catch {
    return undefined;
  }
}
