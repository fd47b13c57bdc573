import type { Overload } from "../libraries/library.ts";
import type { ComprehensionMacro } from "../syntax/ast.ts";
import type { CelType } from "../types/cel-type.ts";

/** The checked tree: all names resolved, each call with the overloads it may use, each node with its type. */
export type TypedNode =
  | ConstantNode
  | VariableNode
  | LocalNode
  | SelectNode
  | CallNode
  | LogicalNode
  | ListNode
  | MapNode
  | StructNode
  | ComprehensionNode
  | BindNode
  | OptMapNode
  | FailureNode;

export interface TypedBase {
  /** Final after checking ends. Until then it may contain type parameters. */
  type: CelType;
  readonly offset: number;
}

export interface ConstantNode extends TypedBase {
  readonly kind: "constant";
  readonly value: unknown;
}

/** A variable of the environment. */
export interface VariableNode extends TypedBase {
  readonly kind: "variable";
  readonly name: string;
}

/** A variable that a macro introduces. Locals are compared by identity. */
export interface Local {
  readonly name: string;
  type: CelType;
}

export interface LocalNode extends TypedBase {
  readonly kind: "local";
  readonly local: Local;
}

export interface SelectNode extends TypedBase {
  readonly kind: "select";
  readonly operand: TypedNode;
  /** As written in the expression; the JSON name of a struct's field may differ. */
  readonly field: string;
  readonly jsonName: string;
  readonly test: boolean;
  readonly optional: boolean;
}

/** An overload that a call may use, with its type parameters replaced. */
export interface Candidate {
  readonly overload: Overload;
  params: readonly CelType[];
  result: CelType;
}

export interface CallNode extends TypedBase {
  readonly kind: "call";
  readonly function: string;
  readonly member: boolean;
  /** For a member, the receiver is the first argument. */
  readonly args: readonly TypedNode[];
  /** At least one. If there are several, values choose the overload at run time. */
  readonly candidates: readonly Candidate[];
}

export interface LogicalNode extends TypedBase {
  readonly kind: "logical";
  readonly operator: "_&&_" | "_||_";
  readonly terms: readonly TypedNode[];
}

export interface ListNode extends TypedBase {
  readonly kind: "list";
  readonly elements: readonly { readonly value: TypedNode; readonly optional: boolean }[];
}

export interface MapNode extends TypedBase {
  readonly kind: "map";
  readonly entries: readonly { readonly key: TypedNode; readonly value: TypedNode; readonly optional: boolean }[];
}

export interface StructNode extends TypedBase {
  readonly kind: "struct";
  readonly fields: readonly { readonly jsonName: string; readonly value: TypedNode; readonly optional: boolean }[];
}

export interface ComprehensionNode extends TypedBase {
  readonly kind: "comprehension";
  readonly macro: ComprehensionMacro;
  readonly range: TypedNode;
  readonly local: Local;
  readonly secondLocal?: Local;
  readonly predicate?: TypedNode;
  readonly transform?: TypedNode;
}

export interface BindNode extends TypedBase {
  readonly kind: "bind";
  readonly local: Local;
  readonly init: TypedNode;
  readonly body: TypedNode;
}

export interface OptMapNode extends TypedBase {
  readonly kind: "optMap";
  readonly target: TypedNode;
  readonly local: Local;
  readonly body: TypedNode;
  readonly flat: boolean;
}

/** A node with a type error. Evaluation fails; occurs only if the expression is compiled without type checks. */
export interface FailureNode extends TypedBase {
  readonly kind: "failure";
  readonly message: string;
}

/** Returns the direct children of a node. */
export function childrenOf(node: TypedNode): readonly TypedNode[] {
  switch (node.kind) {
    case "select":
      return [node.operand];
    case "call":
      return node.args;
    case "logical":
      return node.terms;
    case "list":
      return node.elements.map((element) => element.value);
    case "map":
      return node.entries.flatMap((entry) => [entry.key, entry.value]);
    case "struct":
      return node.fields.map((field) => field.value);
    case "comprehension":
      return [node.range, ...[node.predicate, node.transform].filter((child) => child !== undefined)];
    case "bind":
      return [node.init, node.body];
    case "optMap":
      return [node.target, node.body];
    default:
      return [];
  }
}
