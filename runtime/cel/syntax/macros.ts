import type { ComprehensionExpr, ComprehensionMacro, Expr } from "./ast.ts";

/** The call that a macro replaces. */
export interface MacroCall {
  readonly offset: number;
  readonly target?: Expr;
  readonly args: readonly Expr[];
  /** Records a problem with one of the arguments. */
  fail(at: Expr, message: string): void;
}

/** Rewrites a call. Returns undefined to leave it an ordinary call. */
export interface Macro {
  readonly name: string;
  readonly arity: number;
  readonly receiver: boolean;
  expand(call: MacroCall): Expr | undefined;
}

const ACCUMULATORS = ["__result__", "@result"];

/** The name of an iteration variable; "" if it is invalid, after recording an issue. */
function variableOf(call: MacroCall, argument: Expr, complaint: string): string {
  if (argument.kind !== "ident" || argument.name.startsWith(".")) {
    call.fail(argument, complaint);
    return "";
  }
  if (ACCUMULATORS.includes(argument.name)) call.fail(argument, "iteration variable overwrites accumulator variable");
  return argument.name;
}

function quantifier(name: string, macro: ComprehensionMacro): Macro {
  return comprehension(name, macro, 2, "argument must be a simple name", ([, predicate]) => ({
    predicate: predicate!,
  }));
}

function transformer(macro: "map" | "filter", arity: 2 | 3): Macro {
  return comprehension(macro, macro, arity, "argument is not an identifier", (args) => ({
    ...(macro === "filter" || arity === 3 ? { predicate: args[1]! } : {}),
    ...(macro === "map" ? { transform: args[arity - 1]! } : {}),
  }));
}

/** A macro over the elements of its receiver, whose first argument names the variable; `complaint` is for one that does not. */
function comprehension(
  name: string,
  macro: ComprehensionMacro,
  arity: number,
  complaint: string,
  parts: (args: MacroCall["args"]) => Pick<ComprehensionExpr, "predicate" | "transform">,
): Macro {
  return {
    name,
    arity,
    receiver: true,
    expand: (call) => ({
      kind: "comprehension",
      macro,
      offset: call.offset,
      range: call.target!,
      variable: variableOf(call, call.args[0]!, complaint),
      ...parts(call.args),
    }),
  };
}

const has: Macro = {
  name: "has",
  arity: 1,
  receiver: false,
  expand(call) {
    const operand = call.args[0]!;
    if (operand.kind === "select" && !operand.test && !operand.optional)
      return { ...operand, test: true, offset: call.offset };
    call.fail(operand, "invalid argument to has() macro");
    return operand;
  },
};

/** Part of the language in every environment. */
export const STANDARD_MACROS: readonly Macro[] = [
  has,
  quantifier("all", "all"),
  quantifier("exists", "exists"),
  quantifier("exists_one", "existsOne"),
  transformer("map", 2),
  transformer("map", 3),
  transformer("filter", 2),
];

function twoVariable(name: string, macro: ComprehensionMacro, arity: 3 | 4): Macro {
  const transforms = macro.startsWith("transform");
  return {
    name,
    arity,
    receiver: true,
    expand(call) {
      const variable = variableOf(call, call.args[0]!, "argument must be a simple name");
      const secondVariable = variableOf(call, call.args[1]!, "argument must be a simple name");
      if (variable === secondVariable && variable !== "")
        call.fail(call.args[1]!, `duplicate variable name: ${variable}`);
      return {
        kind: "comprehension",
        macro,
        offset: call.offset,
        range: call.target!,
        variable,
        secondVariable,
        ...(!transforms || arity === 4 ? { predicate: call.args[2]! } : {}),
        ...(transforms ? { transform: call.args[arity - 1]! } : {}),
      };
    },
  };
}

/** Comprehensions over index and value, or key and value. */
export const TWO_VARIABLE_MACROS: readonly Macro[] = [
  twoVariable("all", "all", 3),
  twoVariable("exists", "exists", 3),
  twoVariable("existsOne", "existsOne", 3),
  twoVariable("exists_one", "existsOne", 3),
  twoVariable("transformList", "transformList", 3),
  twoVariable("transformList", "transformList", 4),
  twoVariable("transformMap", "transformMap", 3),
  twoVariable("transformMap", "transformMap", 4),
  twoVariable("transformMapEntry", "transformMapEntry", 3),
  twoVariable("transformMapEntry", "transformMapEntry", 4),
];

function optional(name: "optMap" | "optFlatMap"): Macro {
  return {
    name,
    arity: 2,
    receiver: true,
    expand: (call) => ({
      kind: "optMap",
      offset: call.offset,
      target: call.target!,
      variable: variableOf(call, call.args[0]!, `${name}() variable name must be a simple identifier`),
      body: call.args[1]!,
      flat: name === "optFlatMap",
    }),
  };
}

export const OPTIONAL_MACROS: readonly Macro[] = [optional("optMap"), optional("optFlatMap")];

/** `cel.bind(name, value, expression)`. */
export const BIND_MACRO: Macro = {
  name: "bind",
  arity: 3,
  receiver: true,
  expand(call) {
    if (call.target?.kind !== "ident" || call.target.name !== "cel") return undefined;
    const variable = variableOf(call, call.args[0]!, "cel.bind() variable names must be simple identifiers");
    return { kind: "bind", offset: call.offset, variable, init: call.args[1]!, body: call.args[2]! };
  },
};
