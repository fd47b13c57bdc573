import type { CallNode, Candidate, TypedNode } from "../checker/typed-node.ts";
import { type CallCost, callCost, dispatchCost, visitingCost } from "../cost/call-cost.ts";
import { IDENT_COST, SELECT_COST, STRING_FACTOR } from "../cost/factors.ts";
import { type CelType, isOptional, unwrapOptional } from "../types/cel-type.ts";
import { indexDynamic, indexOptional, listAt } from "../values/access.ts";
import { mapAt, Optional, TypeValue } from "../values/containers.ts";
import { equalityOf, equalValues, isUncomparable, listMapKey } from "../values/equality.ts";
import { fromDynamic, fromJson, isConverted } from "../values/json.ts";
import { fits, typeNameOf, typeNameOfType } from "../values/kinds.ts";
import { ValueSet } from "../values/value-set.ts";
import type { Compiler } from "./compile.ts";
import { constantPattern, fold } from "./constants.ts";
import { compileCondition } from "./logical.ts";
import { chargeIfPresent, compileOperand, convertOptional, isPath, mapTest, mapValue } from "./selections.ts";
import { dispatch, guard, inList, mismatch } from "./support.ts";

/** Emits a call: operators with special handling first, then the matching overloads. */
export function compileCall(compiler: Compiler, node: CallNode): string {
  switch (node.function) {
    case "_?_:_":
      return compileConditional(compiler, node);
    case "_==_":
    case "_!=_":
      return compileEquality(compiler, node);
    case "_[_]":
    case "_[?_]":
      return compileIndex(compiler, node);
    case "@in":
      return compileMembership(compiler, node);
    case "type":
      return compileTypeOf(compiler, node);
    case "optional.ofNonZeroValue":
      if (isSchemaContainer(node.args[0]!)) return compileOptionalOf(compiler, node);
      break;
    case "dyn": {
      const argument = node.args[0]!;
      compiler.emitter.charge(1);
      return compiler.coerce(compiler.compile(argument), argument.type, DYN_TYPE);
    }
    case "or":
    case "orValue":
      if (node.candidates[0]!.overload.id.startsWith("optional_or")) return compileOptionalOr(compiler, node);
  }
  if (node.function === "_+_" && node.type.kind === "list" && node.type.topology !== undefined)
    return compileTopologyConcatenation(compiler, node, node.type);
  const [candidate, ...others] = node.candidates;
  return others.length === 0 ? compileSingle(compiler, node, candidate!) : compileDispatch(compiler, node);
}

function compileSingle(compiler: Compiler, node: CallNode, candidate: Candidate): string {
  const { emitter } = compiler;
  const { overload } = candidate;
  const values = node.args.map((arg) => compiler.compile(arg));
  const args = values.map((_, i) => compileArgument(compiler, node, values, i, candidate));
  const given = overload.takesElementType === true ? [...args, emitter.constant(elementType(candidate))] : args;
  const call = overload.inline?.(args) ?? `${compiler.helper(overload.implement)}(${given.join(", ")})`;
  const cost = callCost(node.function, overload.id);
  const foreseen = foreseeCost(compiler, cost, args);
  const result = overload.total === true ? emitter.assign(call) : compiler.throwing(call);
  chargeCall(compiler, cost, args, result, foreseen);
  return compiler.coerce(result, candidate.result, node.type);
}

/** The static type of the elements of a call's first list. */
function elementType({ params }: Candidate): CelType {
  const [list] = params;
  return list?.kind === "list" ? list.element : DYN_TYPE;
}

/** Converts an argument to the type of a parameter: to a more general type by coercion, to a more specific one by a run-time check. */
function compileArgument(
  compiler: Compiler,
  node: CallNode,
  values: readonly string[],
  index: number,
  { params, overload }: Candidate,
): string {
  const [arg, value] = [node.args[index]!, values[index]!];
  const [param, declared] = [params[index]!, overload.params[index]!];
  if (param.kind === "dyn" || param.kind === "param") return compiler.coerce(value, arg.type, param);
  const refuse = () => {
    const types = node.args.map(({ type }, i) =>
      type.kind === "dyn" || i === index ? `${compiler.helper(typeNameOf)}(${values[i]})` : runtimeTypeName(type),
    );
    const name = constantPattern(node) === undefined ? node.function : "";
    return `${compiler.helper(mismatch)}(${JSON.stringify(name)}, [${types.join(", ")}])`;
  };
  if (arg.type.kind !== param.kind) {
    const wanted = compiler.emitter.constant(param);
    compiler.throwingLine(`if (!${compiler.helper(fits)}(${value}, ${wanted})) ${refuse()};`);
    return param.kind === "double" ? compiler.emitter.assign(`${compiler.helper(fromDynamic)}(${value})`) : value;
  }
  // A declared field may still be null, which only a parameter of any type accepts.
  if (isPath(arg) && declared.kind !== "param") compiler.throwingLine(`if (${value} === null) ${refuse()};`);
  return compiler.coerce(value, arg.type, param);
}

/** JavaScript for the name of the type of values of a static type. Objects of a schema are maps. */
function runtimeTypeName(type: CelType): string {
  return JSON.stringify(type.kind === "struct" && type.nullIsAbsent === true ? "map" : typeNameOfType(type));
}

function compileDispatch(compiler: Compiler, node: CallNode): string {
  const args = node.args.map((arg) => compiler.coerce(compiler.compile(arg), arg.type, DYN_TYPE));
  const overloads = node.candidates.map(({ overload }) => overload);
  const cost = dispatchCost(node.function, overloads);
  const foreseen = foreseeCost(compiler, cost, args);
  const name = JSON.stringify(node.function);
  const result = compiler.throwing(
    `${compiler.helper(dispatch)}(${name}, ${compiler.emitter.constant(overloads)}, [${args.join(", ")}])`,
  );
  chargeCall(compiler, cost, args, result, foreseen);
  if (node.type.kind !== "double") return result;
  return compiler.throwing(`${compiler.helper(guard)}(${result}, ${compiler.emitter.constant(node.type)})`);
}

const DYN_TYPE = { kind: "dyn" } as const;

/** Computes the cost of a call in advance, if it depends only on the arguments. Calls beyond the limit are not made. */
function foreseeCost(compiler: Compiler, cost: CallCost, args: readonly string[]): string | undefined {
  if (typeof cost === "number" || cost.length > 1) return undefined;
  const { emitter } = compiler;
  emitter.settleCost();
  const amount = emitter.assign(`${compiler.helper(cost)}([${args.join(", ")}])`);
  emitter.line(`if (budget.spent + ${amount} > budget.limit) exceeded();`);
  return amount;
}

function chargeCall(
  compiler: Compiler,
  cost: CallCost,
  args: readonly string[],
  result: string,
  foreseen?: string,
): void {
  const { emitter } = compiler;
  if (typeof cost === "number") {
    emitter.charge(cost);
    return;
  }
  // Like all fixed costs, 1 is charged in advance, so that a call whose arguments fail costs 1.
  emitter.charge(1);
  const amount = foreseen ?? `${compiler.helper(cost)}([${args.join(", ")}], ${result})`;
  emitter.line(`budget.spent += ${amount} - 1;`);
  emitter.checkLimit();
}

/** Evaluates a branch or an index. If it is a path as a whole, its initial variable is not charged. */
function compilePart(compiler: Compiler, node: TypedNode): string {
  if (isPath(node)) compiler.emitter.charge(-IDENT_COST);
  return compiler.compile(node);
}

function compileConditional(compiler: Compiler, node: CallNode): string {
  const { emitter } = compiler;
  const [condition, yes, no] = node.args as [TypedNode, TypedNode, TypedNode];
  const test = compileCondition(compiler, condition);
  const branch = (part: TypedNode) =>
    emitter.capture(() => compiler.coerce(compilePart(compiler, part), part.type, node.type));
  const [first, second] = [branch(yes), branch(no)];
  const result = emitter.temporary();
  emitter.line(`if (${test}) {`);
  emitter.place(first.lines);
  emitter.line(`${result} = ${first.result};\n} else {`);
  emitter.place(second.lines);
  emitter.line(`${result} = ${second.result};\n}`);
  emitter.mayThrow ||= first.throws || second.throws;
  return isOptional(node.type) ? compiler.chosen(result, node.type) : result;
}

const IDENTICAL = new Set(["string", "bool"]);
const SCALAR = new Set(["int", "double", "bool", "null", "timestamp", "duration", "uint", "type"]);

function compileEquality(compiler: Compiler, node: CallNode): string {
  const { emitter } = compiler;
  const [left, right] = node.args as [TypedNode, TypedNode];
  const not = node.function === "_!=_" ? "!" : "";
  const [a, b] = [compiler.compile(left), compiler.compile(right)];
  const same = left.type.kind === right.type.kind;
  const mayFail = left.type.kind === "dyn" || left.type.kind === "opaque";
  const compare = () => {
    const equality = equalityOfNodes(compiler, left, right, a, b, not);
    if (!mayFail) return emitter.assign(equality);
    const fails = `${compiler.helper(isUncomparable)}(${a}, ${b})`;
    if (not !== "") return emitter.assign(`${fails} || ${equality}`);
    compiler.throwingLine(`if (${fails}) ${compiler.helper(mismatch)}("", []);`);
    return emitter.assign(equality);
  };
  if (same && (SCALAR.has(left.type.kind) || left.type.kind === "opaque" || left.type.kind === "string")) {
    if (left.type.kind === "opaque") chargeVisiting(compiler, `[${a}, ${b}]`);
    const result = compare();
    if (left.type.kind === "string") chargeStrings(compiler, a, b);
    else emitter.charge(1);
    return result;
  }
  const cost = callCost(node.function, "equals");
  const foreseen = foreseeCost(compiler, cost, [a, b]);
  const result = compare();
  chargeCall(compiler, cost, [a, b], result, foreseen);
  return result;
}

/** Charges in advance for visiting every part of a value, where Kubernetes charges nothing. */
export function chargeVisiting(compiler: Compiler, value: string): void {
  const { emitter } = compiler;
  emitter.line(`budget.spent += ${compiler.helper(visitingCost)}(${value});`);
  emitter.checkLimit();
}

function equalityOfNodes(compiler: Compiler, left: TypedNode, right: TypedNode, a: string, b: string, not: string) {
  const kind = left.type.kind;
  if (kind === right.type.kind && kind !== "dyn") {
    if (IDENTICAL.has(kind)) return `(${a} ${not === "" ? "===" : "!=="} ${b})`;
    if (kind === "int") return `(${a} ${not === "" ? "==" : "!="} ${b})`;
    return `${not}${compiler.helper(equalityOf(left.type))}(${a}, ${b})`;
  }
  const x = compiler.coerce(a, left.type, DYN_TYPE);
  const y = compiler.coerce(b, right.type, DYN_TYPE);
  return `${not}${compiler.helper(equalValues)}(${x}, ${y})`;
}

/** Charges for comparing two strings that may be null: a tenth of the length of the shorter one, rounded up. */
function chargeStrings(compiler: Compiler, a: string, b: string): void {
  const { emitter } = compiler;
  const length = (name: string) => (name.startsWith('"') ? String(JSON.parse(name).length) : `(${name}?.length ?? 1)`);
  emitter.charge(1);
  emitter.line(`budget.spent += Math.ceil(Math.min(${length(a)}, ${length(b)}) * ${STRING_FACTOR}) - 1;`);
}

function compileIndex(compiler: Compiler, node: CallNode): string {
  const [container, key] = node.args as [TypedNode, TypedNode];
  const value = compileOperand(compiler, container);
  const index = compilePart(compiler, key);
  const { kind } = container.type;
  if (node.function === "_[?_]" || kind === "opaque") {
    const optional = compiler.throwing(`${compiler.helper(indexOptional)}(${value}, ${index})`);
    chargeIfPresent(compiler, optional);
    return convertOptional(compiler, optional, node);
  }
  compiler.emitter.charge(SELECT_COST);
  if (kind === "list" && key.type.kind === "int")
    return compiler.accessed(compiler.throwing(`${compiler.helper(listAt)}(${value}, ${index})`), node.type);
  if (kind === "map" && key.kind === "constant" && typeof key.value === "string")
    return compiler.accessed(mapValue(compiler, value, key.value), node.type);
  const dynamicKey = compiler.coerce(index, key.type, DYN_TYPE);
  const read = kind === "map" ? mapAt : indexDynamic;
  return compiler.accessed(compiler.throwing(`${compiler.helper(read)}(${value}, ${dynamicKey})`), node.type);
}

function compileMembership(compiler: Compiler, node: CallNode): string {
  const { emitter } = compiler;
  const [item, container] = node.args as [TypedNode, TypedNode];
  const { type } = container;
  const constant = fold(container);
  if (type.kind === "list" && Array.isArray(constant?.value) && isSimple(item.type, type.element))
    return compileConstantMembership(compiler, item, constant.value);
  if (type.kind === "map" && item.kind === "constant" && typeof item.value === "string") {
    compiler.emitter.charge(1);
    return mapTest(compiler, compiler.compile(container), item.value);
  }
  if (type.kind !== "list") return compileSingleOrDispatch(compiler, node);
  const value = compiler.compile(item);
  const list = compiler.compile(container);
  const typed = item.type.kind === type.element.kind && item.type.kind !== "dyn";
  const needle = typed ? value : compiler.coerce(value, item.type, DYN_TYPE);
  const equal = compiler.helper(typed ? equalityOf(type.element) : equalValues);
  // Kubernetes uses a hash set for constant primitives, and does not charge for the lookup.
  const isFree = constant !== undefined && PRIMITIVE.has(type.element.kind);
  const cost = isFree ? undefined : foreseeCost(compiler, callCost(node.function, "in_list"), [needle, list]);
  const found = emitter.assign(`${compiler.helper(inList)}(${needle}, ${list}, ${equal})`);
  if (cost !== undefined) emitter.line(`budget.spent += ${cost};`);
  return found;
}

const PRIMITIVE = new Set<CelType["kind"]>(["bool", "double", "int", "string", "uint"]);

/** Up to this number of values, comparing with each is faster than a lookup in a set. */
const FEW = 16;

/** Compiles membership in a constant list to comparisons or to a lookup in a set, without cost. */
function compileConstantMembership(compiler: Compiler, item: TypedNode, values: readonly unknown[]): string {
  const { emitter } = compiler;
  const value = compiler.compile(item);
  if (values.length > FEW && item.type.kind !== "int")
    return emitter.assign(`${emitter.constant(new Set(values))}.has(${value})`);
  // An int may be a number or a bigint.
  const equals = item.type.kind === "int" ? "==" : "===";
  const tests = values.map((constant) => `${value} ${equals} ${emitter.literal(constant)}`);
  return emitter.assign(tests.length === 0 ? "false" : `(${tests.join(" || ")})`);
}

/** Whether JavaScript's equality of the values is that of CEL. */
function isSimple(item: CelType, element: CelType): boolean {
  return item.kind === element.kind && (item.kind === "string" || item.kind === "bool" || item.kind === "int");
}

function compileSingleOrDispatch(compiler: Compiler, node: CallNode): string {
  if (node.candidates.length > 1) return compileDispatch(compiler, node);
  return compileSingle(compiler, node, node.candidates[0]!);
}

function compileTypeOf(compiler: Compiler, node: CallNode): string {
  const arg = node.args[0]!;
  if (arg.type.kind !== "struct") {
    const dynamic = { ...node, candidates: node.candidates.map((c) => ({ ...c, params: [DYN_TYPE] })) };
    return compileSingle(compiler, dynamic, dynamic.candidates[0]!);
  }
  compiler.compile(arg);
  compiler.emitter.charge(1);
  // Objects that the expression does not construct have the type `map`.
  const isMade = arg.type.name === "JSONPatch" || /^Object(?:\.|$)/.test(arg.type.name);
  return compiler.emitter.constant(new TypeValue(isMade ? arg.type.name : "map"));
}

/** Whether a node reads a list, map or object of a schema. Kubernetes never treats such a value as zero, even if it is empty. */
function isSchemaContainer(node: TypedNode): boolean {
  const { kind, bounds } = node.type;
  return isPath(node) && bounds !== undefined && (kind === "list" || kind === "map" || kind === "struct");
}

function compileOptionalOf(compiler: Compiler, node: CallNode): string {
  const value = compiler.compile(node.args[0]!);
  compiler.emitter.charge(1);
  return compiler.emitter.assign(`${compiler.helper(Optional.of)}(${value})`);
}

/**
 * Compiles `a.or(b)` and `a.orValue(b)`. The second operand is evaluated only if needed; the call itself is free. If the first value is not an
 * optional at run time, it is the result.
 */
function compileOptionalOr(compiler: Compiler, node: CallNode): string {
  const { emitter } = compiler;
  const [first, second] = node.args as [TypedNode, TypedNode];
  const optional = emitter.assign(compiler.compile(first));
  const other = emitter.capture(() => compiler.coerce(compiler.compile(second), second.type, node.type));
  const result = emitter.temporary();
  const value = emitter.capture(() => {
    if (node.function === "or") return compiler.coerce(optional, first.type, node.type);
    return compiler.coerce(emitter.assign(`${optional}.get()`), unwrapOptional(first.type), node.type);
  });
  emitter.line(`if (!(${optional} instanceof ${compiler.helper(Optional)})) ${result} = ${optional};`);
  emitter.line(`else if (${optional}.present) {`);
  emitter.place(value.lines);
  emitter.line(`${result} = ${value.result};\n} else {`);
  emitter.place(other.lines);
  emitter.line(`${result} = ${other.result};\n}`);
  emitter.mayThrow ||= other.throws;
  return result;
}

/** `+` on a set appends the items that it lacks; on a list map it replaces items with equal keys and appends the others. */
function compileTopologyConcatenation(compiler: Compiler, node: CallNode, type: CelType & { kind: "list" }): string {
  const [a, b] = node.args.map((arg) => compiler.compile(arg)) as [string, string];
  const { topology } = type;
  const equal = isConverted(type.element) ? equalityOf(type.element) : equalValues;
  const join = (first: unknown[], second: unknown[]): unknown[] => {
    if (topology?.type !== "map") {
      const known = new ValueSet(first, equal, (item) => fromJson(item, type.element));
      return first.concat(second.filter((item) => known.add(item)));
    }
    const merged = new Map(first.map((item) => [listMapKey(item, topology.keys), item]));
    for (const item of second) merged.set(listMapKey(item, topology.keys), item);
    return [...merged.values()];
  };
  compiler.emitter.charge(1);
  chargeVisiting(compiler, `[${a}, ${b}]`);
  return compiler.emitter.assign(`${compiler.emitter.constant(join)}(${a}, ${b})`);
}
