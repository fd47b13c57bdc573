import type { TypedNode } from "../checker/typed-node.ts";
import { invoke } from "../libraries/library.ts";
import { type CelType, sameType } from "../types/cel-type.ts";
import { CelMap } from "../values/containers.ts";
import { toDynamic } from "../values/json.ts";

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
    const folded = optional ? undefined : foldAs(value, node.type.element);
    if (folded === undefined) return undefined;
    values.push(folded.value);
  }
  return { value: values };
}

/** The value of a node where its type, or dyn, is expected. */
function foldAs(node: TypedNode, type: CelType): Folded | undefined {
  const folded = fold(node);
  if (folded === undefined || sameType(node.type, type)) return folded;
  return type.kind === "dyn" ? { value: toDynamic(folded.value, node.type) } : undefined;
}

function foldMap(node: TypedNode & { kind: "map" }): Folded | undefined {
  if (node.type.kind !== "map") return undefined;
  const entries: [unknown, unknown][] = [];
  for (const entry of node.entries) {
    const key = foldAs(entry.key, node.type.key);
    const value = foldAs(entry.value, node.type.value);
    if (entry.optional || key === undefined || value === undefined) return undefined;
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
  return folded === undefined ? undefined : attempt(() => invoke(candidate.overload, [folded.value]));
}

/** What cannot be computed is not constant: it fails when, and only if, it is evaluated. */
function attempt(compute: () => unknown): Folded | undefined {
  try {
    return { value: compute() };
  } catch {
    return undefined;
  }
}
