import type { TypedNode } from "../checker/typed-node.ts";
import type { Compiler } from "./compile.ts";
import { absorb, guard } from "./support.ts";

/**
 * Compiles `&&` and `||`. The first deciding term ends the evaluation, and errors in other terms are then ignored. If no term decides, the first
 * error is thrown.
 */
export function compileLogical(compiler: Compiler, node: TypedNode & { kind: "logical" }): string {
  const { emitter } = compiler;
  const deciding = node.operator === "_||_";
  const terms = node.terms.map((term) => emitter.capture(() => compileCondition(compiler, term)));
  const throwing = terms.map(({ throws }) => throws);
  const absorbs = throwing.slice(0, -1).includes(true);
  const result = emitter.temporary();
  const error = absorbs ? emitter.temporary() : "";
  const label = emitter.label();
  if (absorbs) emitter.line(`${error} = undefined;`);
  emitter.line(`${label}: {`);
  terms.forEach(({ lines, result: value, throws }) => {
    const wrapped = throws && absorbs;
    if (wrapped) emitter.line("try {");
    emitter.place(lines);
    emitter.line(`if (${deciding ? "" : "!"}${value}) { ${result} = ${deciding}; break ${label}; }`);
    if (wrapped) emitter.line(`} catch (thrown) { ${error} = ${compiler.helper(absorb)}(thrown, ${error}); }`);
  });
  if (absorbs) emitter.line(`if (${error} !== undefined) throw ${error};`);
  emitter.line(`${result} = ${!deciding};`);
  emitter.line("}");
  emitter.mayThrow ||= throwing.includes(true);
  return result;
}

/** Compiles a node whose value must be a bool. If the type is not known statically, it is checked at run time. */
export function compileCondition(compiler: Compiler, node: TypedNode): string {
  const value = compiler.compile(node);
  if (node.type.kind === "bool" && node.kind !== "select" && node.kind !== "variable") return value;
  if (node.kind === "select" && node.test) return value;
  const { emitter } = compiler;
  const bool = emitter.constant(BOOL_TYPE);
  compiler.throwingLine(`if (typeof ${value} !== "boolean") ${compiler.helper(guard)}(${value}, ${bool});`);
  return value;
}

const BOOL_TYPE = { kind: "bool" } as const;
