import type { CallNode, ComprehensionNode, Local, TypedNode } from "../checker/typed-node.ts";
import { codePointLength } from "../syntax/source.ts";
import { type CelType, unwrapOptional } from "../types/cel-type.ts";
import { callEstimate, type Operand } from "./call-estimates.ts";
import { CALL_COST, IDENT_COST, LIST_CREATE_COST, MAP_CREATE_COST, STRUCT_CREATE_COST } from "./factors.ts";
import { add, fixed, multiply, NOTHING, type Range, UNKNOWN, union } from "./range.ts";

/** The least and most an expression can cost: both counted in the units of `factors.ts`. */
export type CostRange = Range;

/** Estimates from the checked tree alone. Sizes come from literals and from the bounds of the variables' schemas. */
export function estimateCost(root: TypedNode): CostRange {
  return new Estimate().cost(root);
}

/** What is known of a value: its size, and the sizes of its elements. */
interface Sizes {
  readonly size?: Range;
  readonly elements?: Range;
}

const ONE = fixed(1);
const IDENT = fixed(IDENT_COST);
const SCALARS = new Set(["bool", "double", "duration", "int", "timestamp", "uint"]);

class Estimate {
  readonly #sizes = new Map<TypedNode, Sizes>();
  readonly #locals = new Map<Local, Sizes & { readonly onPath: boolean }>();

  cost(node: TypedNode): Range {
    switch (node.kind) {
      case "constant":
        // The name of a type is looked up like a variable.
        return node.type.kind === "type" ? IDENT : NOTHING;
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
    const elements = node.elements.map((element) => this.sizeOf(element.value));
    this.#sizes.set(node, { elements: elements.length === 0 ? NOTHING : elements.reduce(union) });
    return add(fixed(LIST_CREATE_COST), ...costs);
  }

  #map(node: TypedNode & { kind: "map" }): Range {
    const costs = node.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]);
    const values = node.entries.map((entry) => this.sizeOf(entry.value));
    this.#sizes.set(node, { elements: values.length === 0 ? NOTHING : values.reduce(union) });
    return add(fixed(MAP_CREATE_COST), ...costs);
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
      const size = this.#sizesOf(node.args[0]!).elements;
      return size === undefined ? {} : { size };
    }
    const size = results.length === 0 ? {} : { size: results.reduce(union) };
    const [left, right] = node.args.map((arg) => this.#sizesOf(arg).elements);
    const joins = node.function === "_+_" && left !== undefined && right !== undefined;
    return joins ? { ...size, elements: union(left, right) } : size;
  }

  #conditional(node: CallNode, [condition, yes, no]: [Range, Range, Range]): Range {
    const [, first, second] = node.args as [TypedNode, TypedNode, TypedNode];
    const [a, b] = [this.#sizesOf(first).elements, this.#sizesOf(second).elements];
    const elements = a === undefined || b === undefined ? {} : { elements: union(a, b) };
    this.#sizes.set(node, { size: union(this.sizeOf(first), this.sizeOf(second)), ...elements });
    return add(condition, union(yes, no));
  }

  #operand(node: TypedNode): Operand {
    const literal = node.kind === "constant" && typeof node.value === "number" ? { literal: node.value } : {};
    return { type: node.type, size: this.sizeOf(node), elementSize: this.#elementSize(node), ...literal };
  }

  /** A comprehension costs what the loop costs that cel-go makes of it, once for every element there may be. */
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
    const element = node.macro === "filter" ? this.#locals.get(node.local)?.size : this.sizeOf(node.transform!);
    const known = element ?? this.#boundsSize(node.local.type) ?? UNKNOWN;
    return { size: count, elements: union(NOTHING, known) };
  }

  #bindLocals(node: ComprehensionNode): void {
    const onPath = this.#onPath(node.range);
    const { elements } = this.#sizesOf(node.range);
    const known = elements === undefined ? {} : { size: elements };
    const isList = node.range.type.kind === "list";
    if (node.secondLocal === undefined) {
      this.#locals.set(node.local, { onPath, ...(isList ? known : {}) });
      return;
    }
    this.#locals.set(node.local, { onPath: onPath && !isList, ...(isList ? { size: ONE } : {}) });
    this.#locals.set(node.secondLocal, { onPath, ...known });
  }

  #bind(node: TypedNode & { kind: "bind" }): Range {
    const init = this.cost(node.init);
    this.#locals.set(node.local, { onPath: this.#onPath(node.init), ...this.#sizesOf(node.init) });
    const body = this.cost(node.body);
    this.#sizes.set(node, this.#sizesOf(node.body));
    return add(fixed(LIST_CREATE_COST), init, body);
  }

  #optMap(node: TypedNode & { kind: "optMap" }): Range {
    const target = this.cost(node.target);
    this.#locals.set(node.local, { onPath: false });
    const body = this.cost(node.body);
    const present = add(fixed(LIST_CREATE_COST + (node.flat ? 1 : 2)), target, body);
    return add(target, ONE, union(present, ONE));
  }

  /** Whether a value is found by a path from a variable, so that its schema bounds it. */
  #onPath(node: TypedNode): boolean {
    switch (node.kind) {
      case "variable":
        return true;
      case "local":
        return this.#locals.get(node.local)?.onPath ?? false;
      case "select":
        return !node.test && !node.optional && this.#onPath(node.operand);
      case "call":
        return node.function === "_[_]" && this.#onPath(node.args[0]!);
      default:
        return false;
    }
  }

  #sizesOf(node: TypedNode): Sizes {
    const known = this.#sizes.get(node);
    if (known !== undefined) return { ...known, ...this.#sizeIfKnown(node) };
    const local = node.kind === "local" ? this.#locals.get(node.local)?.elements : undefined;
    return { ...this.#sizeIfKnown(node), ...(local === undefined ? {} : { elements: local }) };
  }

  #sizeIfKnown(node: TypedNode): Sizes {
    const size = this.#computeSize(node);
    return size === undefined ? {} : { size };
  }

  sizeOf(node: TypedNode): Range {
    return this.#computeSize(node) ?? UNKNOWN;
  }

  #computeSize(node: TypedNode): Range | undefined {
    const computed = this.#sizes.get(node)?.size ?? literalSize(node);
    if (computed !== undefined) return computed;
    const bounded = this.#onPath(node) ? this.#boundsSize(node.type) : undefined;
    if (bounded !== undefined) return bounded;
    if (SCALARS.has(unwrapOptional(node.type).kind)) return ONE;
    return node.kind === "local" ? this.#locals.get(node.local)?.size : undefined;
  }

  #boundsSize(type: CelType): Range | undefined {
    const { bounds } = unwrapOptional(type);
    return bounds === undefined ? undefined : { min: 0, max: bounds.maxElements };
  }

  #elementSize(node: TypedNode): Range {
    if (node.type.kind !== "list") return UNKNOWN;
    const bounded = this.#onPath(node) ? this.#boundsSize(node.type.element) : undefined;
    return bounded ?? UNKNOWN;
  }
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
      return node.type.kind === "type" ? NOTHING : ONE;
    default:
      return undefined;
  }
}
