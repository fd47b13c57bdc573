import type { Expr } from "./ast.ts";
import type { IssueList } from "./issue.ts";
import type { Macro } from "./macros.ts";

interface Call {
  readonly name: string;
  readonly offset: number;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

/** Creates a call, or the expansion of a macro. */
export function callExpr({ name, offset, target, args }: Call, macros: readonly Macro[], issues: IssueList): Expr {
  const receiver = target !== undefined;
  const macro = macros.find((m) => m.name === name && m.arity === args.length && m.receiver === receiver);
  const fail = (at: Expr, message: string) => issues.add("syntax", at.offset, message);
  const expanded = macro?.expand({ offset, args, fail, ...(receiver ? { target } : {}) });
  return expanded ?? { kind: "call", function: name, args, offset, ...(receiver ? { target } : {}) };
}
