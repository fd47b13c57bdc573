import type { Overload } from "../libraries/library.ts";
import type { CallExpr } from "../syntax/ast.ts";
import { qualifiedName } from "../syntax/ast.ts";
import { type CelType, DYN, type ParamType, parametersOf, sameType } from "../types/cel-type.ts";
import { substitute } from "../types/unify.ts";
import type { Checker } from "./checker.ts";
import type { Candidate, TypedNode } from "./typed-node.ts";

/** Resolves a call: a global function, a function of a namespace (`ip.isCanonical(x)`), or a member of the target. */
export function resolveCall(checker: Checker, expr: CallExpr): TypedNode {
  const args = expr.args.map((arg) => checker.check(arg));
  if (expr.target === undefined) {
    const found = checker.declarations.function(expr.function);
    if (found === undefined) return checker.undeclared(expr.offset, expr.function);
    return resolveOverload(checker, expr, found.name, found.overloads, args, false);
  }
  const prefix = qualifiedName(expr.target);
  const namespaced = prefix === undefined ? undefined : checker.declarations.function(`${prefix}.${expr.function}`);
  if (namespaced !== undefined)
    return resolveOverload(checker, expr, namespaced.name, namespaced.overloads, args, false);
  const target = checker.check(expr.target);
  const found = checker.declarations.function(expr.function);
  if (found === undefined) return checker.undeclared(expr.offset, expr.function);
  return resolveOverload(checker, expr, found.name, found.overloads, [target, ...args], true);
}

function resolveOverload(
  checker: Checker,
  expr: CallExpr,
  name: string,
  overloads: readonly Overload[],
  args: readonly TypedNode[],
  member: boolean,
): TypedNode {
  const types = args.map((arg) => arg.type);
  let candidates = fitting(checker, overloads, types, member);
  if (candidates.length === 0 && checker.options.lenient)
    candidates = fitting(
      checker,
      overloads,
      types.map(() => DYN),
      member,
    );
  if (candidates.length === 0) {
    const shown = types.map((type) => checker.written(type));
    const signature = member ? `${shown[0]}.(${shown.slice(1).join(", ")})` : `(${shown.join(", ")})`;
    return checker.failure("type", expr.offset, `found no matching overload for '${name}' applied to '${signature}'`);
  }
  const type = commonResult(candidates);
  return checker.add({ kind: "call", type, function: name, member, args, candidates, offset: expr.offset });
}

/** Returns every overload that accepts the arguments. Type parameters bound by one overload stay bound for the next. */
function fitting(
  checker: Checker,
  overloads: readonly Overload[],
  types: readonly CelType[],
  member: boolean,
): Candidate[] {
  const candidates: Candidate[] = [];
  for (const overload of overloads) {
    if (overload.member !== member || overload.params.length !== types.length) continue;
    const { params, result } = instantiate(checker, overload);
    if (!checker.assignable(types, params)) continue;
    candidates.push({ overload, params, result: checker.known(result) });
  }
  return candidates;
}

/** Returns the signature of an overload with fresh type parameters. */
function instantiate(checker: Checker, overload: Overload): { params: readonly CelType[]; result: CelType } {
  const names = new Set([...overload.params, overload.result].flatMap(paramNames));
  if (names.size === 0) return overload;
  const fresh = new Map([...names].map((name) => [name, checker.freshType()]));
  return {
    params: overload.params.map((param) => substitute(fresh, param, false)),
    result: substitute(fresh, overload.result, false),
  };
}

function paramNames(type: CelType): string[] {
  if (type.kind === "param") return [(type as ParamType).name];
  return parametersOf(type).flatMap(paramNames);
}

function commonResult(candidates: readonly Candidate[]): CelType {
  const first = candidates[0]!.result;
  return candidates.every((candidate) => sameType(candidate.result, first)) ? first : DYN;
}
