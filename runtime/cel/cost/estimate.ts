import type { CallNode, ComprehensionNode, ConstantNode, Local, TypedNode } from "../checker/typed-node.ts";
import { codePointLength } from "../syntax/source.ts";
import { type CelType, isOptional, unwrapOptional } from "../types/cel-type.ts";
import { TypeValue } from "../values/containers.ts";
import { callEstimate, type Operand } from "./call-estimates.ts";
import { CALL_COST, IDENT_COST, LIST_CREATE_COST, MAP_CREATE_COST, STRUCT_CREATE_COST } from "./factors.ts";
import { type PathTypes, sizeAtPath, type ValuePath } from "./path-sizes.ts";
import { add, fixed, multiply, NOTHING, type Range, UNKNOWN, union } from "./range.ts";

/** Minimum and maximum cost of an expression, in the units of `factors.ts`. */
export type CostRange = Range;

/** Estimates the cost from the checked tree only. Sizes are taken from literals and from the types of paths. */
export function estimateCost(root: TypedNode, paths: PathTypes): CostRange {
  return new Estimate(paths).cost(root);
}

/** Sizes of the keys and values of a list or a map. The keys of a list are its indices. */
interface Entries {
  readonly container: "list" | "map";
  readonly keys: Range;
  readonly values: Range;
}

/** Known sizes of a value and of its entries. */
interface Sizes {
  readonly size?: Range;
  readonly entries?: Entries;
}

const NOWHERE: ValuePath = [];
const ONE = fixed(1);
const IDENT = fixed(IDENT_COST);
const SCALARS = new Set(["bool", "double", "duration", "int", "timestamp", "uint"]);

class Estimate {
  readonly #sizes = new Map<TypedNode, Sizes>();
  readonly #locals = new Map<Local, Sizes & { readonly path: ValuePath }>();
  readonly #paths: PathTypes;

  constructor(paths: PathTypes) {
    this.#paths = paths;
  }

  cost(node: TypedNode): Range {
    switch (node.kind) {
      case "constant":
        return isTypeName(node) ? IDENT : NOTHING;
      case "failure":
        return NOTHING;
      case "variable":
      case "local":
        return IDENT;
      case "select":
        return this.#select(node);
      case "call":
        return this.#call(node);
      case "logical": {
        const terms = node.terms.map((term) => this.cost(term));
        return { min: terms[0]?.min ?? 0, max: add(...terms).max };
      }
      case "list":
        return this.#list(node);
      case "map":
        return this.#map(node);
      case "struct":
        return add(fixed(STRUCT_CREATE_COST), ...node.fields.map((field) => this.cost(field.value)));
      case "comprehension":
        return this.#comprehension(node);
      case "bind":
        return this.#bind(node);
      case "optMap":
        return this.#optMap(node);
    }
  }

  #select(node: TypedNode & { kind: "select" }): Range {
    const operand = this.cost(node.operand);
    if (node.test) return operand;
    const charged = node.optional || node.operand.type.kind === "map" || node.operand.type.kind === "struct";
    return charged ? add(operand, IDENT) : operand;
  }

  #list(node: TypedNode & { kind: "list" }): Range {
    const costs = node.elements.map((element) => this.cost(element.value));
    const values = this.#unionOf(node.elements.map((element) => element.value));
    this.#sizes.set(node, { entries: { container: "list", keys: ONE, values } });
    return add(fixed(LIST_CREATE_COST), ...costs);
  }

  #map(node: TypedNode & { kind: "map" }): Range {
    const costs = node.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]);
    const keys = this.#unionOf(node.entries.map((entry) => entry.key));
    const values = this.#unionOf(node.entries.map((entry) => entry.value));
    this.#sizes.set(node, { entries: { container: "map", keys, values } });
    return add(fixed(MAP_CREATE_COST), ...costs);
  }

  #unionOf(nodes: readonly TypedNode[]): Range {
    const sizes = nodes.map((node) => this.sizeOf(node));
    return sizes.length === 0 ? NOTHING : sizes.reduce(union);
  }

  #call(node: CallNode): Range {
    const costs = node.args.map((arg) => this.cost(arg));
    if (node.function === "_?_:_") return this.#conditional(node, costs as [Range, Range, Range]);
    if (node.function === "dyn") {
      this.#sizes.set(node, this.#sizesOf(node.args[0]!));
      return add(ONE, ...costs);
    }
    const operands = node.args.map((arg) => this.#operand(arg));
    const estimates = node.candidates.map(({ overload }) => callEstimate(node.function, overload.id)(operands));
    const results = estimates.map(({ resultSize }) => resultSize).filter((size) => size !== undefined);
    this.#sizes.set(node, this.#resultSizes(node, results));
    return add(estimates.map(({ cost }) => cost).reduce(union), ...costs);
  }

  #resultSizes(node: CallNode, results: readonly Range[]): Sizes {
    if (node.function === "_[_]") {
      const size = this.#sizesOf(node.args[0]!).entries?.values;
      return size === undefined ? {} : { size };
    }
    const size = results.length === 0 ? {} : { size: results.reduce(union) };
    return node.function === "_+_" ? { ...size, ...this.#joinEntries(node.args[0]!, node.args[1]!) } : size;
  }

  #conditional(node: CallNode, [condition, yes, no]: [Range, Range, Range]): Range {
    const [, first, second] = node.args as [TypedNode, TypedNode, TypedNode];
    const size = union(this.sizeOf(first), this.sizeOf(second));
    this.#sizes.set(node, { size, ...this.#joinEntries(first, second) });
    return add(condition, union(yes, no));
  }

  /** Returns the union of the entry sizes of two values. Empty if the sizes of one are unknown. */
  #joinEntries(first: TypedNode, second: TypedNode): Sizes {
    const [a, b] = [this.#sizesOf(first).entries, this.#sizesOf(second).entries];
    if (a === undefined || b === undefined) return {};
    return { entries: { container: a.container, keys: union(a.keys, b.keys), values: union(a.values, b.values) } };
  }

  #operand(node: TypedNode): Operand {
    const literal = node.kind === "constant" && typeof node.value === "number" ? { literal: node.value } : {};
    return { type: node.type, size: this.sizeOf(node), elementSize: this.#elementSize(node), ...literal };
  }

  /** A comprehension costs as much as the loop that cel-go expands it to, for the possible number of elements. */
  #comprehension(node: ComprehensionNode): Range {
    const range = this.cost(node.range);
    this.#bindLocals(node);
    const predicate = node.predicate === undefined ? NOTHING : this.cost(node.predicate);
    const transform = node.transform === undefined ? NOTHING : this.cost(node.transform);
    const count = this.sizeOf(node.range);
    const { init, step, result } = this.#loop(node, predicate, transform);
    this.#sizes.set(node, this.#comprehensionSizes(node, count));
    return add(range, init, result, multiply(count, step));
  }

  #loop(node: ComprehensionNode, predicate: Range, transform: Range): { init: Range; step: Range; result: Range } {
    const filtered = (step: Range) => (node.predicate === undefined ? step : add(predicate, union(step, IDENT)));
    switch (node.macro) {
      case "all":
      case "exists": {
        const test = IDENT_COST + CALL_COST * (node.macro === "all" ? 1 : 2);
        return { init: NOTHING, step: add(fixed(test), { min: 1, max: 1 + predicate.max }), result: IDENT };
      }
      case "existsOne":
        return { init: NOTHING, step: add(predicate, { min: 1, max: 2 }), result: fixed(2) };
      case "transformMap":
        return { init: fixed(MAP_CREATE_COST), step: filtered(add(fixed(3), transform)), result: IDENT };
      case "transformMapEntry":
        return { init: fixed(MAP_CREATE_COST), step: filtered(add(fixed(2), transform)), result: IDENT };
      default: {
        const element = node.macro === "filter" ? IDENT : transform;
        return {
          init: fixed(LIST_CREATE_COST),
          step: filtered(add(fixed(2 + LIST_CREATE_COST), element)),
          result: IDENT,
        };
      }
    }
  }

  #comprehensionSizes(node: ComprehensionNode, count: Range): Sizes {
    if (node.type.kind === "bool") return { size: ONE };
    if (node.type.kind === "map") return { size: count };
    const element = node.macro === "filter" ? this.#localSize(node.local) : this.#computeSize(node.transform!);
    return { size: count, entries: { container: "list", keys: ONE, values: union(NOTHING, element ?? UNKNOWN) } };
  }

  /** Binds the sizes of loop variables. One variable represents the elements of a list or the keys of a map; two represent keys and values. */
  #bindLocals(node: ComprehensionNode): void {
    const path = this.#path(node.range);
    const { entries } = this.#sizesOf(node.range);
    const isList = (entries?.container ?? node.range.type.kind) === "list";
    const bind = (local: Local, step: string, size: Range | undefined) =>
      this.#locals.set(local, { path: [...path, step], ...(size === undefined ? {} : { size }) });
    const bindValue = (local: Local) => bind(local, isList ? "@items" : "@values", entries?.values);
    const bindKey = (local: Local) => bind(local, isList ? "@indices" : "@keys", entries?.keys);
    if (node.secondLocal !== undefined) {
      bindKey(node.local);
      bindValue(node.secondLocal);
    } else if (isList) bindValue(node.local);
    else bindKey(node.local);
  }

  #bind(node: TypedNode & { kind: "bind" }): Range {
    const init = this.cost(node.init);
    this.#locals.set(node.local, { path: this.#path(node.init), ...this.#sizesOf(node.init) });
    const body = this.cost(node.body);
    // After the body, only the path of the variable is known.
    this.#locals.set(node.local, { path: this.#path(node.init) });
    this.#sizes.set(node, this.#sizesOf(node.body));
    return add(fixed(LIST_CREATE_COST), init, body);
  }

  #optMap(node: TypedNode & { kind: "optMap" }): Range {
    const target = this.cost(node.target);
    this.#locals.set(node.local, { path: NOWHERE });
    const body = this.cost(node.body);
    const present = add(fixed(LIST_CREATE_COST + (node.flat ? 1 : 2)), target, body);
    return add(target, ONE, union(present, ONE));
  }

  #path(node: TypedNode): ValuePath {
    switch (node.kind) {
      case "constant":
        return isTypeName(node) ? [node.value.name] : NOWHERE;
      case "variable":
        return [node.name];
      case "local":
        return this.#locals.get(node.local)?.path ?? NOWHERE;
      case "select":
        return node.test || node.optional ? NOWHERE : [...this.#path(node.operand), node.field];
      case "call": {
        const step = node.candidates
          .map(({ overload }) => INDEX_STEPS[overload.id])
          .findLast((each) => each !== undefined);
        return step === undefined ? NOWHERE : [...this.#path(node.args[0]!), step];
      }
      default:
        return NOWHERE;
    }
  }

  #sizesOf(node: TypedNode): Sizes {
    const size = this.#computeSize(node);
    const local = node.kind === "local" ? this.#locals.get(node.local) : undefined;
    const entries = (this.#sizes.get(node) ?? local)?.entries;
    return { ...(size === undefined ? {} : { size }), ...(entries === undefined ? {} : { entries }) };
  }

  sizeOf(node: TypedNode): Range {
    return this.#computeSize(node) ?? UNKNOWN;
  }

  #computeSize(node: TypedNode): Range | undefined {
    const computed = this.#sizes.get(node)?.size ?? literalSize(node) ?? sizeAtPath(this.#path(node), this.#paths);
    if (computed !== undefined) return computed;
    if (isScalar(node.type)) return ONE;
    return node.kind === "local" ? this.#locals.get(node.local)?.size : undefined;
  }

  #localSize(local: Local): Range | undefined {
    return this.#computeSize({ kind: "local", local, type: local.type, offset: 0 });
  }

  #elementSize(node: TypedNode): Range {
    const path = this.#path(node);
    return (path.length === 0 ? undefined : sizeAtPath([...path, "@items"], this.#paths)) ?? UNKNOWN;
  }
}

/** An optional of an optional of a scalar has the size of the scalar. */
function isScalar(type: CelType): boolean {
  return isOptional(type) ? isScalar(unwrapOptional(type)) : SCALARS.has(type.kind);
}

/** The path step of each index overload. */
const INDEX_STEPS: Readonly<Record<string, string>> = { index_list: "@items", index_map: "@values" };

/** Whether a node is the name of a type. It is looked up like a variable, and its value has no size. */
function isTypeName(node: TypedNode): node is ConstantNode & { readonly value: TypeValue } {
  return node.kind === "constant" && node.value instanceof TypeValue;
}

function literalSize(node: TypedNode): Range | undefined {
  switch (node.kind) {
    case "list":
      return fixed(node.elements.length);
    case "map":
      return fixed(node.entries.length);
    case "constant":
      if (typeof node.value === "string") return fixed(codePointLength(node.value));
      if (node.value instanceof Uint8Array) return fixed(node.value.length);
      return isTypeName(node) ? undefined : ONE;
    default:
      return undefined;
  }
}
