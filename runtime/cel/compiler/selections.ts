import type { SelectNode, TypedNode } from "../checker/typed-node.ts";
import { IDENT_COST, SELECT_COST } from "../cost/factors.ts";
import { isOptional, unwrapOptional } from "../types/cel-type.ts";
import { hasDynamic, mapOptional, selectDynamic, selectOptional, selectPresent } from "../values/access.ts";
import { CelMap, mapAt, mapHas } from "../values/containers.ts";
import { fromJson, isConverted } from "../values/json.ts";
import type { Compiler } from "./compile.ts";
import { missingKey, ownProperty, refuseFloat } from "./support.ts";

/** Whether Kubernetes counts the node as part of a path: a variable, or a selection from anything. */
export function isPath(node: TypedNode): boolean {
  if (node.kind === "select") return !node.test;
  if (node.kind === "call") return node.function === "_[_]" || node.function === "_[?_]";
  return node.kind === "variable" || node.kind === "local";
}

/** Evaluates the operand of a selection. A path that does not start with a variable is charged as if it did. */
export function compileOperand(compiler: Compiler, operand: TypedNode): string {
  const conditional = operand.kind === "call" && operand.function === "_?_:_";
  if (!isPath(operand) && !conditional) compiler.emitter.charge(IDENT_COST);
  return compiler.compile(operand);
}

/** `operand.field`, `operand.?field` and `has(operand.field)`. */
export function compileSelect(compiler: Compiler, node: SelectNode): string {
  const operand = compileOperand(compiler, node.operand);
  if (node.test) return compileTest(compiler, node, operand);
  if (node.optional || isOptional(node.operand.type)) return compileOptionalSelect(compiler, node, operand);
  compiler.emitter.charge(SELECT_COST);
  const value = readField(compiler, node, operand);
  return compiler.accessed(value, node.type);
}

function readField(compiler: Compiler, node: SelectNode, operand: string): string {
  const name = JSON.stringify(node.jsonName);
  switch (node.operand.type.kind) {
    case "struct": {
      const value = compiler.emitter.assign(property(compiler, operand, node.jsonName));
      const absent = node.operand.type.nullIsAbsent === true ? "== null" : "=== undefined";
      compiler.throwingLine(`if (${value} ${absent}) ${compiler.helper(missingKey)}(${name});`);
      if (node.type.kind === "int") compiler.throwingLine(`${compiler.helper(refuseFloat)}(${operand}, ${name});`);
      return value;
    }
    case "map":
      return mapValue(compiler, operand, node.jsonName);
    default:
      return compiler.throwing(`${compiler.helper(selectDynamic)}(${operand}, ${name})`);
  }
}

/** Returns code that reads an own property of a JSON object that may be null. */
function property(compiler: Compiler, object: string, name: string): string {
  const quoted = JSON.stringify(name);
  if (name in Object.prototype) return `${compiler.helper(ownProperty)}(${object}, ${quoted})`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${object}?.${name}` : `${object}?.[${quoted}]`;
}

function compileTest(compiler: Compiler, node: SelectNode, operand: string): string {
  const name = JSON.stringify(node.jsonName);
  switch (node.operand.type.kind) {
    case "struct": {
      const present = node.operand.type.nullIsAbsent === true ? "!= null" : "!== undefined";
      return compiler.emitter.assign(`${property(compiler, operand, node.jsonName)} ${present}`);
    }
    case "map":
      return mapTest(compiler, operand, node.jsonName);
    default:
      return compiler.throwing(`${compiler.helper(hasDynamic)}(${operand}, ${name})`);
  }
}

/** Returns code for the value of a map for a constant key. */
export function mapValue(compiler: Compiler, map: string, name: string): string {
  const quoted = JSON.stringify(name);
  if (name in Object.prototype) return compiler.throwing(`${compiler.helper(mapAt)}(${map}, ${quoted})`);
  const value = compiler.throwing(mapProperty(compiler, map, quoted));
  compiler.throwingLine(`if (${value} === undefined) ${compiler.helper(missingKey)}(${quoted});`);
  return value;
}

/** Returns code that checks whether a map has a constant key. */
export function mapTest(compiler: Compiler, map: string, name: string): string {
  const quoted = JSON.stringify(name);
  if (name in Object.prototype) return compiler.throwing(`${compiler.helper(mapHas)}(${map}, ${quoted})`);
  return compiler.throwing(`${mapProperty(compiler, map, quoted)} !== undefined`);
}

/** Reads an entry of a CelMap or a JSON object. The key must not be a property of `Object.prototype`. */
function mapProperty(compiler: Compiler, map: string, quoted: string): string {
  return `(${map} instanceof ${compiler.helper(CelMap)} ? ${map}.get(${quoted}) : ${map}[${quoted}])`;
}

function compileOptionalSelect(compiler: Compiler, node: SelectNode, operand: string): string {
  const name = JSON.stringify(node.jsonName);
  const type = unwrapOptional(node.operand.type);
  const select = type.kind === "struct" && type.nullIsAbsent === true ? selectPresent : selectOptional;
  const optional = compiler.throwing(`${compiler.helper(select)}(${operand}, ${name})`);
  chargeIfPresent(compiler, optional);
  return convertOptional(compiler, optional, node);
}

/** Charges for a selection only if the optional has a value. */
export function chargeIfPresent(compiler: Compiler, optional: string): void {
  compiler.emitter.line(`if (${optional}.present) budget.spent += ${SELECT_COST};`);
}

/** Converts the value of an optional that was read from a container to its static type. */
export function convertOptional(compiler: Compiler, optional: string, node: TypedNode): string {
  const type = unwrapOptional(node.type);
  if (!isConverted(type)) return optional;
  const convert = compiler.emitter.constant((value: unknown) => fromJson(value, type));
  return compiler.throwing(`${compiler.helper(mapOptional)}(${optional}, ${convert})`);
}
