import { type CelType, DYN, listOf, mapOf, opaqueOf, parametersOf, sameType, typeOf } from "./cel-type.ts";

/** Bindings of type parameters. `unify` returns a new map, so that a failed attempt with an overload has no effect. */
export type Substitution = ReadonlyMap<string, CelType>;

export const NO_SUBSTITUTION: Substitution = new Map();

/** Never written to: types without parameters bind nothing. */
const NOTHING_BOUND = new Map<string, CelType>();

const isGround = (type: CelType): boolean => type.kind !== "param" && parametersOf(type).every(isGround);

/** Returns the bindings by which each type of `from` is assignable to the corresponding one of `to`. Undefined if there are none. */
export function unify(
  bindings: Substitution,
  from: readonly CelType[],
  to: readonly CelType[],
): Substitution | undefined {
  if (from.length !== to.length) return undefined;
  // Fast path: most calls involve only types without parameters, which bind nothing.
  if (from.every(isGround) && to.every(isGround))
    return from.every((type, i) => assignable(NOTHING_BOUND, type, to[i]!)) ? bindings : undefined;
  const draft = new Map(bindings);
  return from.every((type, i) => assignable(draft, type, to[i]!)) ? draft : undefined;
}

function assignable(draft: Map<string, CelType>, from: CelType, to: CelType): boolean {
  if (to.kind === "param") {
    const outcome = bind(draft, from, to);
    if (outcome !== "unbound") return outcome === "ok";
  }
  if (from.kind === "param") return bind(draft, to, from) === "ok";
  if (isWild(from) || isWild(to)) return true;
  if (from.kind === "null") return to.kind === "null" || isNullable(to);
  if (to.kind === "null") return isNullable(from);
  if (from.kind !== to.kind) return false;
  switch (from.kind) {
    case "type":
      return true;
    case "struct":
      return sameType(from, to);
    case "opaque":
      if (from.name !== (to as { name: string }).name) return false;
  }
  const left = parametersOf(from);
  const right = parametersOf(to);
  return left.length === right.length && left.every((p, i) => assignable(draft, p, right[i]!));
}

/** Tries to bind the parameter to `type`: "no" only if it is already bound to an incompatible type. */
function bind(draft: Map<string, CelType>, type: CelType, param: CelType & { kind: "param" }): "ok" | "no" | "unbound" {
  if (sameType(type, param)) return "ok";
  const known = draft.get(param.name);
  if (known === undefined) {
    if (occurs(draft, param, type)) return "unbound";
    draft.set(param.name, type);
    return "ok";
  }
  if (sameType(type, known)) return "ok";
  if (!assignable(draft, type, known)) return "no";
  const general = mostGeneral(type, known);
  if (!occurs(draft, param, general)) draft.set(param.name, general);
  return "ok";
}

function occurs(draft: ReadonlyMap<string, CelType>, param: CelType & { kind: "param" }, within: CelType): boolean {
  if (within.kind === "param") {
    if (within.name === param.name) return true;
    const known = draft.get(within.name);
    return known !== undefined && occurs(draft, param, known);
  }
  return parametersOf(within).some((p) => occurs(draft, param, p));
}

/** Replaces bound parameters. Unbound parameters become dyn if `settle` is set. Types without parameters keep their identity. */
export function substitute(bindings: Substitution, type: CelType, settle: boolean): CelType {
  if (type.kind === "param") {
    const known = bindings.get(type.name);
    if (known !== undefined) return substitute(bindings, known, settle);
    return settle ? DYN : type;
  }
  const before = parametersOf(type);
  if (before.length === 0) return type;
  const after = before.map((p) => substitute(bindings, p, settle));
  if (after.every((p, i) => p === before[i])) return type;
  switch (type.kind) {
    case "list":
      return listOf(after[0]!);
    case "map":
      return mapOf(after[0]!, after[1]!);
    case "opaque":
      return opaqueOf(type.name, ...after);
    default:
      return typeOf(after[0]!);
  }
}

/** The more general of two types that unify; a type that may be null is more general than null. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  if (b.kind === "null") return a;
  return isEqualOrMoreGeneral(a, b) ? a : b;
}

function isEqualOrMoreGeneral(a: CelType, b: CelType): boolean {
  if (a.kind === "dyn" || a.kind === "param") return true;
  if (b.kind === "dyn" || b.kind === "param" || a.kind !== b.kind) return false;
  if (a.kind === "type") return true;
  if (a.kind === "struct") return sameType(a, b);
  if (a.kind === "opaque" && a.name !== (b as { name: string }).name) return false;
  const right = parametersOf(b);
  return parametersOf(a).every((p, i) => right[i] !== undefined && isEqualOrMoreGeneral(p, right[i]));
}

function isWild(type: CelType): boolean {
  return type.kind === "dyn" || type.kind === "error";
}

/** Types whose values may be null wherever they are used. */
function isNullable(type: CelType): boolean {
  return ["opaque", "struct", "timestamp", "duration"].includes(type.kind);
}
