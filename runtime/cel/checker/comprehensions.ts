import type { ComprehensionExpr, OptMapExpr } from "../syntax/ast.ts";
import {
  BOOL,
  type CelType,
  DYN,
  ERROR,
  INT,
  isAny,
  isOptional,
  listOf,
  mapOf,
  optionalOf,
} from "../types/cel-type.ts";
import type { Checker } from "./checker.ts";
import type { TypedNode } from "./typed-node.ts";

/** Checks a macro over a list or map as the loop that it represents. */
export function checkComprehension(checker: Checker, expr: ComprehensionExpr): TypedNode {
  const range = checker.check(expr.range);
  const two = expr.secondVariable !== undefined;
  const [first, second] = variableTypes(checker, range, two);
  const local = checker.local(expr.variable, first);
  const secondLocal = expr.secondVariable === undefined ? undefined : checker.local(expr.secondVariable, second);
  const { predicate, transform } = checker.inScope(secondLocal === undefined ? [local] : [local, secondLocal], () => ({
    predicate: expr.predicate === undefined ? undefined : checker.check(expr.predicate),
    transform: expr.transform === undefined ? undefined : checker.check(expr.transform),
  }));
  const type = resultType(checker, expr, first, transform);
  if (predicate !== undefined) checkPredicate(checker, expr, predicate, type);
  return checker.add({
    kind: "comprehension",
    macro: expr.macro,
    type,
    range,
    local,
    offset: expr.offset,
    ...(secondLocal === undefined ? {} : { secondLocal }),
    ...(predicate === undefined ? {} : { predicate }),
    ...(transform === undefined ? {} : { transform }),
  });
}

/** Returns the types of the loop variables. One variable takes list elements or map keys; two take index and element, or key and value. */
function variableTypes(checker: Checker, range: TypedNode, two: boolean): [CelType, CelType] {
  const type = checker.known(range.type);
  if (isAny(type)) return refuseRange(checker, range, type);
  switch (type.kind) {
    case "list":
      return two ? [INT, type.element] : [type.element, type.element];
    case "map":
      return [type.key, type.value];
    case "dyn":
    case "error":
      return [DYN, DYN];
    case "param":
      checker.assignable([DYN], [type]);
      return [DYN, DYN];
    default:
      return refuseRange(checker, range, type);
  }
}

function refuseRange(checker: Checker, range: TypedNode, type: CelType): [CelType, CelType] {
  const written = checker.written(type);
  const message = `expression of type '${written}' cannot be range of a comprehension (must be list, map, or dynamic)`;
  checker.issue("type", range.offset, message);
  return [ERROR, ERROR];
}

function resultType(
  checker: Checker,
  expr: ComprehensionExpr,
  first: CelType,
  transform: TypedNode | undefined,
): CelType {
  switch (expr.macro) {
    case "filter":
      return listOf(first);
    case "map":
    case "transformList":
      return listOf(transform!.type);
    case "transformMap":
      return mapOf(first, transform!.type);
    case "transformMapEntry": {
      const type = mapOf(checker.freshType(), checker.freshType());
      if (checker.assignable([transform!.type], [type])) return checker.known(type);
      const signature = `(${checker.written(type)}, ${checker.written(transform!.type)})`;
      checker.issue("type", expr.offset, `found no matching overload for 'cel.@mapInsert' applied to '${signature}'`);
      return ERROR;
    }
    default:
      return BOOL;
  }
}

function checkPredicate(checker: Checker, expr: ComprehensionExpr, predicate: TypedNode, result: CelType): void {
  if (expr.macro === "all" || expr.macro === "exists") {
    checker.expectBool(predicate);
    return;
  }
  if (checker.assignable([predicate.type], [BOOL])) return;
  const accumulator = checker.written(expr.macro === "existsOne" ? INT : result);
  const signature = `(${checker.written(predicate.type)}, ${accumulator}, ${accumulator})`;
  checker.issue("type", expr.offset, `found no matching overload for '_?_:_' applied to '${signature}'`);
}

/** Checks `target.optMap(v, body)` and `target.optFlatMap(v, body)`. */
export function checkOptMap(checker: Checker, expr: OptMapExpr): TypedNode {
  const target = checker.checkTwice(expr.target);
  const value = checker.freshType();
  if (!checker.assignable([target.type], [optionalOf(value)])) {
    const signature = `${checker.written(target.type)}.()`;
    for (const name of ["hasValue", "value"])
      checker.issue("type", expr.offset, `found no matching overload for '${name}' applied to '${signature}'`);
  }
  const local = checker.local(expr.variable, checker.known(value));
  const body = checker.inScope([local], () => checker.check(expr.body));
  if (expr.flat && !isOptional(checker.known(body.type))) {
    const wanted = optionalOf(checker.freshType());
    if (!checker.assignable([body.type], [wanted])) {
      const signature = `(bool, ${checker.written(body.type)}, ${checker.written(wanted)})`;
      checker.issue("type", expr.offset, `found no matching overload for '_?_:_' applied to '${signature}'`);
    }
  }
  const type = expr.flat ? body.type : optionalOf(body.type);
  return checker.add({ kind: "optMap", type, target, local, body, flat: expr.flat, offset: expr.offset });
}
