import type { Local, TypedNode } from "../checker/typed-node.ts";
import { type Budget, exceeded } from "../cost/budget.ts";
import { IDENT_COST, LIST_CREATE_COST, MAP_CREATE_COST, STRUCT_CREATE_COST } from "../cost/factors.ts";
import { type CelType, parametersOf, sameType, unwrapOptional } from "../types/cel-type.ts";
import { Optional } from "../values/containers.ts";
import { asBytes, asDuration, asTimestamp, isSelfDescribing, toDynamic } from "../values/json.ts";
import { chargeVisiting, compileCall } from "./calls.ts";
import { compileComprehension } from "./comprehensions.ts";
import { fold } from "./constants.ts";
import { Emitter } from "./emitter.ts";
import { compileLogical } from "./logical.ts";
import { compileSelect } from "./selections.ts";
import { chosenOptional, fail, missingVariable, newMap } from "./support.ts";

/** Evaluates an expression. Throws an EvaluationError if it has no value. The budget contains the cost in both cases. */
export type Program = (bindings: Readonly<Record<string, unknown>>, budget: Budget) => unknown;

/** Turns a checked tree into a JavaScript function. */
export function compileProgram(root: TypedNode): Program {
  const compiler = new Compiler();
  const result = compiler.compile(root);
  return compiler.emitter.finish(result, exceeded) as Program;
}

/** Emits code node by node. `compile` returns a name or literal that holds the value. */
export class Compiler {
  readonly emitter = new Emitter();
  readonly #locals = new Map<Local, () => string>();
  readonly #variables = new Map<string, string>();

  compile(node: TypedNode): string {
    const constant = fold(node);
    if (constant !== undefined) return this.emitter.literal(constant.value);
    switch (node.kind) {
      case "variable":
        return this.#variable(node.name, node.type);
      case "local":
        this.emitter.charge(IDENT_COST);
        return this.#locals.get(node.local)!();
      case "select":
        return compileSelect(this, node);
      case "call":
        return compileCall(this, node);
      case "logical":
        return compileLogical(this, node);
      case "list":
        return this.#list(node);
      case "map":
        return this.#map(node);
      case "struct":
        return this.#struct(node);
      case "comprehension":
        return compileComprehension(this, node);
      case "bind":
        return this.#bind(node);
      case "optMap":
        return this.#optMap(node);
      case "failure":
        return this.throwing(`${this.helper(fail)}(${JSON.stringify(node.message)})`);
      default:
        return this.emitter.literal(node.value);
    }
  }

  /** Returns the name by which the program refers to a function. */
  helper(implementation: Function): string {
    return this.emitter.constant(implementation);
  }

  /** Emits an expression whose evaluation may fail. */
  throwing(expression: string): string {
    this.emitter.mayThrow = true;
    return this.emitter.assign(expression);
  }

  bindLocal(local: Local, read: () => string): void {
    this.#locals.set(local, read);
  }

  /** Converts a value that was read from a container to its static type. */
  accessed(value: string, type: CelType): string {
    switch (type.kind) {
      case "timestamp":
        return this.throwing(`${this.helper(asTimestamp)}(${value})`);
      case "duration":
        return this.throwing(`${this.helper(asDuration)}(${value})`);
      case "bytes":
        return this.throwing(`${this.helper(asBytes)}(${value})`);
      default:
        return value;
    }
  }

  /** Converts a value to the same type or a more general one. */
  coerce(value: string, from: CelType, to: CelType): string {
    if (isSelfDescribing(from) || sameType(from, to) || !mentionsDyn(to)) return value;
    if (parametersOf(from).length > 0) chargeVisiting(this, value);
    return this.emitter.assign(`${this.helper(toDynamic)}(${value}, ${this.emitter.constant(from)})`);
  }

  /** Converts an optional that a condition has chosen; see `chosenOptional`. */
  chosen(optional: string, type: CelType): string {
    if (!CONVERTED_WHEN_CHOSEN.has(unwrapOptional(type).kind)) return optional;
    return this.throwing(`${this.helper(chosenOptional)}(${optional})`);
  }

  #variable(name: string, type: CelType): string {
    const { emitter } = this;
    emitter.charge(IDENT_COST);
    const known = this.#variables.get(name);
    const value = known ?? emitter.temporary();
    // Bindings are read where they are used, because one that is missing or computed on access may not be needed.
    emitter.line(`${value} = bindings[${JSON.stringify(name)}];`);
    this.throwingLine(`if (${value} === undefined) ${this.helper(missingVariable)}(${JSON.stringify(name)});`);
    this.#variables.set(name, value);
    return this.accessed(value, type);
  }

  #list(node: TypedNode & { kind: "list" }): string {
    const { emitter } = this;
    const element = node.type.kind === "list" ? node.type.element : node.type;
    const mayBeShort = node.elements.some(({ optional }) => optional);
    const values = node.elements.map(({ value, optional }) => ({
      name: this.#element(value, optional, element),
      optional,
    }));
    emitter.charge(LIST_CREATE_COST);
    if (!mayBeShort) return emitter.assign(`[${values.map(({ name }) => name).join(", ")}]`);
    const list = emitter.assign("[]");
    for (const { name, optional } of values)
      emitter.line(optional ? `if (${name}.present) ${list}.push(${name}.get());` : `${list}.push(${name});`);
    return list;
  }

  /** Compiles an element of a list, map or struct. After `?` it must be an optional, which is checked. */
  #element(node: TypedNode, optional: boolean, type: CelType): string {
    const value = this.compile(node);
    if (!optional) return this.coerce(value, node.type, type);
    this.throwingLine(`if (!(${value} instanceof ${this.helper(Optional)})) ${this.helper(fail)}("no such overload");`);
    return value;
  }

  throwingLine(line: string): void {
    this.emitter.mayThrow = true;
    this.emitter.line(line);
  }

  #map(node: TypedNode & { kind: "map" }): string {
    const { emitter } = this;
    const [keyType, valueType] = node.type.kind === "map" ? [node.type.key, node.type.value] : [node.type, node.type];
    const map = emitter.assign(`${this.helper(newMap)}()`);
    for (const { key, value, optional } of node.entries) {
      const keyName = this.coerce(this.compile(key), key.type, keyType);
      const name = this.#element(value, optional, valueType);
      const set = `${map}.set(${keyName}, ${optional ? `${name}.get()` : name});`;
      this.throwingLine(optional ? `if (${name}.present) ${set} else ${map}.delete(${keyName});` : set);
    }
    emitter.charge(MAP_CREATE_COST);
    return map;
  }

  #struct(node: TypedNode & { kind: "struct" }): string {
    const { emitter } = this;
    const object = emitter.assign("{}");
    for (const { jsonName, value, optional } of node.fields) {
      const name = this.#element(value, optional, value.type);
      const set = `${object}[${JSON.stringify(jsonName)}] = ${optional ? `${name}.get()` : name};`;
      emitter.line(optional ? `if (${name}.present) ${set}` : set);
    }
    emitter.charge(STRUCT_CREATE_COST);
    return object;
  }

  /** Compiles a bound name. Its value is computed on first use; an error in it is thrown by that use. */
  #bind(node: TypedNode & { kind: "bind" }): string {
    const { emitter } = this;
    const done = emitter.assign("false");
    const value = emitter.temporary();
    const compute = emitter.temporary();
    const init = emitter.capture(() => this.compile(node.init));
    emitter.line(`${compute} = () => {`);
    emitter.place(init.lines);
    emitter.line(`return ${init.result}; };`);
    this.bindLocal(node.local, () => {
      emitter.mayThrow ||= init.throws;
      emitter.line(`if (!${done}) { ${value} = ${compute}(); ${done} = true; }`);
      return value;
    });
    return this.compile(node.body);
  }

  #optMap(node: TypedNode & { kind: "optMap" }): string {
    const { emitter } = this;
    emitter.settleCost();
    const before = emitter.assign("budget.spent");
    const target = this.compile(node.target);
    this.throwingLine(
      `if (!(${target} instanceof ${this.helper(Optional)})) ${this.helper(fail)}("no such overload");`,
    );
    const result = emitter.temporary();
    emitter.charge(1);
    emitter.settleCost();
    // Kubernetes evaluates the target again when its value is first used, and charges for it.
    const again = emitter.temporary();
    emitter.line(`if (${target}.present) { ${again} = budget.spent - ${before};`);
    const value = emitter.assign(`${target}.get()`);
    this.bindLocal(node.local, () => {
      emitter.line(`budget.spent += ${again}; ${again} = 0;`);
      return value;
    });
    const body = this.compile(node.body);
    emitter.charge(node.flat ? 0 : 1);
    emitter.settleCost();
    const made = node.flat ? body : emitter.assign(`${this.helper(Optional.of)}(${body})`);
    emitter.line(`${result} = ${this.chosen(made, node.type)};`);
    emitter.line(`} else { budget.spent += 1; ${result} = ${this.emitter.constant(Optional.none)}; }`);
    return result;
  }
}

const CONVERTED_WHEN_CHOSEN = new Set<CelType["kind"]>(["opaque", "dyn", "param", "type"]);

function mentionsDyn(type: CelType): boolean {
  return type.kind === "dyn" || parametersOf(type).some(mentionsDyn);
}
