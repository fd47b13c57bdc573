import type { CelType } from "../types/cel-type.ts";

/** The tree that the parser creates. `offset` is the position that messages about a node refer to, as in cel-go. */
export type Expr =
  | LiteralExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | LogicalExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | ComprehensionExpr
  | BindExpr
  | OptMapExpr;

interface Placed {
  readonly offset: number;
}

export interface LiteralExpr extends Placed {
  readonly kind: "literal";
  readonly type: CelType;
  readonly value: unknown;
}

export interface IdentExpr extends Placed {
  readonly kind: "ident";
  /** With a leading dot if written so. Such a name is resolved from the root, bypassing containers and locals. */
  readonly name: string;
}

export interface SelectExpr extends Placed {
  readonly kind: "select";
  readonly operand: Expr;
  readonly field: string;
  /** `has(operand.field)`. */
  readonly test: boolean;
  /** `operand.?field`. */
  readonly optional: boolean;
}

export interface CallExpr extends Placed {
  readonly kind: "call";
  readonly function: string;
  readonly target?: Expr;
  readonly args: readonly Expr[];
}

/** A chain of `&&` or `||`, flattened: the operators are associative, also with regard to errors. */
export interface LogicalExpr extends Placed {
  readonly kind: "logical";
  readonly operator: "_&&_" | "_||_";
  readonly terms: readonly Expr[];
}

export interface ListExpr extends Placed {
  readonly kind: "list";
  readonly elements: readonly { readonly value: Expr; readonly optional: boolean }[];
}

export interface MapExpr extends Placed {
  readonly kind: "map";
  readonly entries: readonly { readonly key: Expr; readonly value: Expr; readonly optional: boolean }[];
}

export interface StructExpr extends Placed {
  readonly kind: "struct";
  readonly name: string;
  readonly fields: readonly (Placed & { readonly name: string; readonly value: Expr; readonly optional: boolean })[];
}

export type ComprehensionMacro =
  | "all"
  | "exists"
  | "existsOne"
  | "map"
  | "filter"
  | "transformList"
  | "transformMap"
  | "transformMapEntry";

/** A macro over a list or map. `predicate` filters or decides, `transform` computes elements; which of them exist depends on the macro. */
export interface ComprehensionExpr extends Placed {
  readonly kind: "comprehension";
  readonly macro: ComprehensionMacro;
  readonly range: Expr;
  readonly variable: string;
  readonly secondVariable?: string;
  readonly predicate?: Expr;
  readonly transform?: Expr;
}

export interface BindExpr extends Placed {
  readonly kind: "bind";
  readonly variable: string;
  readonly init: Expr;
  readonly body: Expr;
}

export interface OptMapExpr extends Placed {
  readonly kind: "optMap";
  readonly target: Expr;
  readonly variable: string;
  readonly body: Expr;
  /** `optFlatMap`: the body already returns an optional. */
  readonly flat: boolean;
}

/** The dotted name that an expression consists of, if it has only names and dots. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select" || expr.test || expr.optional) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}
