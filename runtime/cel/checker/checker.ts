import type { Expr, IdentExpr, SelectExpr, StructExpr } from "../syntax/ast.ts";
import { qualifiedName } from "../syntax/ast.ts";
import type { CelIssue, IssueList } from "../syntax/issue.ts";
import { RESERVED } from "../syntax/reserved.ts";
import {
  BOOL,
  type CelType,
  DYN,
  ERROR,
  formatType,
  isOptional,
  listOf,
  mapOf,
  optionalOf,
  paramOf,
  sameType,
  unwrapOptional,
} from "../types/cel-type.ts";
import type { StructNames } from "../types/struct-names.ts";
import { mostGeneral, NO_SUBSTITUTION, type Substitution, substitute, unify } from "../types/unify.ts";
import { TypeValue } from "../values/containers.ts";
import { checkComprehension, checkOptMap } from "./comprehensions.ts";
import type { Declarations } from "./declarations.ts";
import { resolveCall } from "./overloads.ts";
import type { Local, TypedNode } from "./typed-node.ts";

export interface CheckerOptions {
  /** Whether type errors are reported at run time instead of when the expression is checked. */
  readonly lenient: boolean;
  /** Maximum number of nodes of an expression. */
  readonly maxNodes: number;
  /** Whether `self.if` selects the field whose escaped name is `__if__`. */
  readonly keywordFields: boolean;
  /** Names of struct types in messages. */
  readonly structName: StructNames | undefined;
}

/** Assigns a type to every node of an expression. Errors are added to `issues`; the tree is valid only if there are none. */
export function check(expr: Expr, declarations: Declarations, options: CheckerOptions, issues: IssueList): TypedNode {
  const checker = new Checker(declarations, options, issues);
  const root = checker.check(expr);
  checker.settle();
  return root;
}

export class Checker {
  readonly declarations: Declarations;
  readonly options: CheckerOptions;
  readonly #issues: IssueList;
  readonly #nodes: TypedNode[] = [];
  readonly #locals: Local[] = [];
  readonly #scope: Local[] = [];
  #bindings: Substitution = NO_SUBSTITUTION;
  #freshCount = 0;
  #count = 0;

  constructor(declarations: Declarations, options: CheckerOptions, issues: IssueList) {
    this.declarations = declarations;
    this.options = options;
    this.#issues = issues;
  }

  check(expr: Expr): TypedNode {
    if (++this.#count > this.options.maxNodes) return this.#tooMany(expr);
    switch (expr.kind) {
      case "literal":
        return this.add({ kind: "constant", type: expr.type, value: expr.value, offset: expr.offset });
      case "ident":
        return this.#checkIdent(expr);
      case "select":
        return this.#checkSelect(expr);
      case "call":
        return resolveCall(this, expr);
      case "logical":
        return this.#checkLogical(expr);
      case "list":
        return this.#checkList(expr);
      case "map":
        return this.#checkMap(expr);
      case "struct":
        return this.#checkStruct(expr);
      case "comprehension":
        return checkComprehension(this, expr);
      case "bind": {
        const init = this.check(expr.init);
        const local = this.local(expr.variable, init.type);
        const body = this.inScope([local], () => this.check(expr.body));
        return this.add({ kind: "bind", type: body.type, local, init, body, offset: expr.offset });
      }
      case "optMap":
        return checkOptMap(this, expr);
    }
  }

  /** Reports exceeding the node limit, once. Nodes beyond the limit are not checked. */
  #tooMany({ offset }: Expr): TypedNode {
    const message = `expression node limit exceeded: ${this.options.maxNodes}`;
    if (this.#count === this.options.maxNodes + 1) this.#issues.addUnplaced("limit", message);
    return { kind: "failure", type: ERROR, message, offset };
  }

  /** Registers a node, so that `settle` completes its type. */
  add<T extends TypedNode>(node: T): T {
    this.#nodes.push(node);
    return node;
  }

  /** Checks an expression that Kubernetes checks twice: its issues are reported twice. */
  checkTwice(expr: Expr): TypedNode {
    const { count } = this.#issues;
    const node = this.check(expr);
    this.#issues.repeatFrom(count);
    return node;
  }

  issue(code: CelIssue["code"], offset: number, message: string): void {
    if (!this.options.lenient) this.#issues.add(code, offset, message);
  }

  failure(code: CelIssue["code"], offset: number, message: string): TypedNode {
    this.issue(code, offset, message);
    return this.add({ kind: "failure", type: this.options.lenient ? DYN : ERROR, message, offset });
  }

  undeclared(offset: number, name: string): TypedNode {
    const container = this.declarations.container;
    return this.failure("reference", offset, `undeclared reference to '${name}' (in container '${container}')`);
  }

  mismatch(offset: number, expected: CelType, found: CelType): void {
    this.issue("type", offset, `expected type '${this.written(expected)}' but found '${this.written(found)}'`);
  }

  /** Formats a type for messages. */
  written(type: CelType): string {
    return formatType(substitute(this.#bindings, type, true), this.options.structName);
  }

  /** Returns a type with all bound type parameters replaced. */
  known(type: CelType): CelType {
    return substitute(this.#bindings, type, false);
  }

  freshType(): CelType {
    return paramOf(`_var${this.#freshCount++}`);
  }

  /** Whether values of the first types can be used as the second. If so, keeps the bindings of type parameters. */
  assignable(from: readonly CelType[], to: readonly CelType[]): boolean {
    const bindings = unify(this.#bindings, from, to);
    if (bindings !== undefined) this.#bindings = bindings;
    return bindings !== undefined;
  }

  local(name: string, type: CelType): Local {
    const local = { name, type };
    this.#locals.push(local);
    return local;
  }

  inScope<T>(locals: readonly Local[], run: () => T): T {
    this.#scope.push(...locals);
    const result = run();
    this.#scope.length -= locals.length;
    return result;
  }

  /** Replaces every type parameter by its binding, or by dyn if it has none. */
  settle(): void {
    const settle = (type: CelType) => substitute(this.#bindings, type, true);
    for (const local of this.#locals) local.type = settle(local.type);
    for (const node of this.#nodes) {
      node.type = settle(node.type);
      if (node.kind !== "call") continue;
      for (const candidate of node.candidates) {
        candidate.params = candidate.params.map(settle);
        candidate.result = settle(candidate.result);
      }
      keepTopology(node);
    }
  }

  /** Returns the more general of two types if they unify, otherwise dyn. */
  #join(previous: CelType | undefined, type: CelType): CelType {
    if (previous === undefined) return type;
    return this.assignable([previous], [type]) ? mostGeneral(previous, type) : DYN;
  }

  #checkIdent(expr: IdentExpr): TypedNode {
    return this.#resolveName(expr.name, expr.offset) ?? this.undeclared(expr.offset, expr.name);
  }

  #resolveName(name: string, offset: number): TypedNode | undefined {
    const local = this.#scope.findLast((candidate) => candidate.name === name);
    if (local !== undefined) return this.add({ kind: "local", type: local.type, local, offset });
    const variable = this.declarations.variable(name);
    if (variable !== undefined) return this.add({ kind: "variable", ...variable, offset });
    const type = this.declarations.type(name);
    if (type === undefined) return undefined;
    return this.add({ kind: "constant", type: type.type, value: new TypeValue(type.name), offset });
  }

  #checkSelect(expr: SelectExpr): TypedNode {
    const name = qualifiedName(expr);
    const root = name?.split(".")[name.startsWith(".") ? 1 : 0];
    const shadowed = this.#scope.some((local) => local.name === root) && !name?.startsWith(".");
    const named = name === undefined || shadowed ? undefined : this.#resolveName(name, expr.offset);
    if (named !== undefined) return named;
    const operand = this.check(expr.operand);
    const { type, jsonName } = this.#fieldType(expr, operand);
    const { field, test, optional, offset } = expr;
    return this.add({ kind: "select", operand, field, jsonName, test, optional, offset, type: test ? BOOL : type });
  }

  #fieldType(expr: SelectExpr, operand: TypedNode): { type: CelType; jsonName: string } {
    const operandType = this.known(operand.type);
    const target = unwrapOptional(operandType);
    let type: CelType = DYN;
    let jsonName = expr.field;
    if (target.kind === "map") type = target.value;
    else if (target.kind === "struct") {
      const keyword = this.options.keywordFields && RESERVED.has(expr.field);
      const field = target.field(expr.field) ?? (keyword ? target.field(`__${expr.field}__`) : undefined);
      if (field === undefined) this.issue("field", expr.offset, `undefined field '${expr.field}'`);
      type = field?.type ?? ERROR;
      jsonName = field?.jsonName ?? expr.field;
    } else if (target.kind === "param") this.assignable([DYN], [target]);
    else if (target.kind !== "dyn" && target.kind !== "error")
      this.issue("field", expr.offset, `type '${this.written(target)}' does not support field selection`);
    return { type: expr.optional || isOptional(operandType) ? optionalOf(type) : type, jsonName };
  }

  #checkLogical(expr: Expr & { kind: "logical" }): TypedNode {
    const terms = expr.terms.map((term) => this.check(term));
    for (const term of terms) this.expectBool(term);
    return this.add({ kind: "logical", type: BOOL, operator: expr.operator, terms, offset: expr.offset });
  }

  expectBool(node: TypedNode): void {
    if (!this.assignable([node.type], [BOOL])) this.mismatch(node.offset, BOOL, node.type);
  }

  #checkList(expr: Expr & { kind: "list" }): TypedNode {
    let element: CelType | undefined;
    const elements = expr.elements.map(({ value: item, optional }) => {
      const value = this.check(item);
      element = this.#join(element, this.#elementType(value, optional));
      return { value, optional };
    });
    return this.add({ kind: "list", type: listOf(element ?? this.freshType()), elements, offset: expr.offset });
  }

  #checkMap(expr: Expr & { kind: "map" }): TypedNode {
    let keyType: CelType | undefined;
    let valueType: CelType | undefined;
    const entries = expr.entries.map((entry) => {
      const key = this.check(entry.key);
      keyType = this.#join(keyType, key.type);
      const value = this.check(entry.value);
      valueType = this.#join(valueType, this.#elementType(value, entry.optional));
      return { key, value, optional: entry.optional };
    });
    const type = mapOf(keyType ?? this.freshType(), valueType ?? this.freshType());
    return this.add({ kind: "map", type, entries, offset: expr.offset });
  }

  /** The type that an element contributes to its list, map or struct: after `?`, the value type of the optional. */
  #elementType(node: TypedNode, optional: boolean): CelType {
    if (!optional) return node.type;
    const type = this.known(node.type);
    if (isOptional(type)) return unwrapOptional(type);
    if (type.kind !== "dyn" && type.kind !== "error") this.mismatch(node.offset, optionalOf(type), type);
    return type;
  }

  #checkStruct(expr: StructExpr): TypedNode {
    const named = this.declarations.type(expr.name);
    if (named === undefined) return this.undeclared(expr.offset, expr.name);
    const { of } = named;
    if (of.kind !== "struct") return this.failure("type", expr.offset, `'${formatType(of)}' is not a message type`);
    const fields = expr.fields.map((field) => {
      const value = this.check(field.value);
      const declared = of.field(field.name);
      if (declared === undefined) this.issue("field", field.offset, `undefined field '${field.name}'`);
      const given = this.#elementType(value, field.optional);
      const wanted = declared?.type ?? ERROR;
      if (!this.assignable([wanted], [given]))
        this.issue(
          "type",
          field.offset,
          `expected type of field '${field.name}' is '${this.written(wanted)}' but provided type is '${this.written(given)}'`,
        );
      return { jsonName: declared?.jsonName ?? field.name, value, optional: field.optional };
    });
    return this.add({ kind: "struct", type: of, fields, offset: expr.offset });
  }
}

/** Keeps the list type of a schema when lists are concatenated: sets stay sets. */
function keepTopology(node: TypedNode & { kind: "call" }): void {
  const first = node.args[0]?.type;
  if (node.function !== "_+_" || first?.kind !== "list" || first.topology === undefined) return;
  if (node.type.kind === "list" && sameType(node.type, first)) node.type = first;
}
