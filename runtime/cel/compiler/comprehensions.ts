import type { ComprehensionNode } from "../checker/typed-node.ts";
import { CALL_COST, IDENT_COST, LIST_CREATE_COST } from "../cost/factors.ts";
import { iterate, iterateKeys, valueAt } from "../values/access.ts";
import { mapKeys } from "../values/containers.ts";
import type { Compiler } from "./compile.ts";
import { fold } from "./constants.ts";
import { compileCondition } from "./logical.ts";
import { absorb, insertAll, insertEntry, newMap } from "./support.ts";

/** Cost per element: Kubernetes charges for testing whether to continue and for reading the intermediate result. */
const TEST_COST = { all: IDENT_COST + CALL_COST, exists: IDENT_COST + 2 * CALL_COST };

/** Compiles a loop over a list or map. The body is emitted once; reading the result is charged like reading a variable. */
export function compileComprehension(compiler: Compiler, node: ComprehensionNode): string {
  switch (node.macro) {
    case "all":
    case "exists":
      return compileQuantifier(compiler, node, node.macro);
    case "existsOne":
      return compileExistsOne(compiler, node);
    default:
      return compileBuilder(compiler, node);
  }
}

interface Loop {
  readonly index: string;
  readonly items: string;
}

/** Emits a loop and binds its variables. `emitBody` emits the code that runs for each element. */
function compileLoop(compiler: Compiler, node: ComprehensionNode, emitBody: (loop: Loop) => void): void {
  const { emitter } = compiler;
  const range = compiler.compile(node.range);
  const isList = node.range.type.kind === "list";
  const isMap = node.range.type.kind === "map";
  const two = node.secondLocal !== undefined;
  let items = range;
  if (isMap) items = emitter.assign(`${compiler.helper(mapKeys)}(${range})`);
  else if (!isList) items = compiler.throwing(`${compiler.helper(two ? iterateKeys : iterate)}(${range})`);
  const loop = { index: emitter.temporary(), items };
  const body = emitter.capture(() => {
    const item = emitter.assign(`${items}[${loop.index}]`);
    if (two) {
      const key = isList ? loop.index : item;
      const raw = isList ? item : emitter.assign(`${compiler.helper(valueAt)}(${range}, ${item})`);
      const value = compiler.accessed(raw, node.secondLocal!.type);
      compiler.bindLocal(node.local, () => key);
      compiler.bindLocal(node.secondLocal!, () => value);
    } else {
      const value = compiler.accessed(item, node.local.type);
      compiler.bindLocal(node.local, () => value);
    }
    emitBody(loop);
    emitter.checkLimit();
  });
  emitter.line(`for (${loop.index} = 0; ${loop.index} < ${items}.length; ${loop.index}++) {`);
  emitter.place(body.lines);
  emitter.line("}");
  emitter.mayThrow ||= body.throws;
}

/** Compiles `all` and `exists`, which stop at the first deciding element. Errors in other elements are then ignored. */
function compileQuantifier(compiler: Compiler, node: ComprehensionNode, macro: "all" | "exists"): string {
  const { emitter } = compiler;
  const deciding = macro === "exists";
  const result = emitter.temporary();
  const error = emitter.temporary();
  emitter.line(`${result} = ${!deciding}; ${error} = undefined;`);
  let throws = false;
  compileLoop(compiler, node, ({ index, items }) => {
    emitter.charge(TEST_COST[macro] + IDENT_COST);
    const predicate = emitter.capture(() => compileCondition(compiler, node.predicate!));
    throws = predicate.throws;
    if (throws) emitter.line("try {");
    emitter.place(predicate.lines);
    emitter.line(`if (${deciding ? "" : "!"}${predicate.result}) {`);
    emitter.line(`if (${index} + 1 < ${items}.length) budget.spent += ${TEST_COST[macro]};`);
    emitter.line(`${result} = ${deciding}; ${error} = undefined; break; }`);
    if (throws) emitter.line(`} catch (thrown) { ${error} = ${compiler.helper(absorb)}(thrown, ${error}); }`);
  });
  if (throws) compiler.throwingLine(`if (${error} !== undefined) throw ${error};`);
  emitter.charge(IDENT_COST);
  return result;
}

function compileExistsOne(compiler: Compiler, node: ComprehensionNode): string {
  const { emitter } = compiler;
  const count = emitter.assign("0");
  compileLoop(compiler, node, () => {
    const holds = compileCondition(compiler, node.predicate!);
    emitter.settleCost();
    emitter.line(`if (${holds}) { ${count}++; budget.spent += ${IDENT_COST + CALL_COST}; }`);
  });
  emitter.charge(IDENT_COST + CALL_COST);
  return emitter.assign(`${count} === 1`);
}

/** Compiles the macros that build a list or a map, with or without a filter. */
function compileBuilder(compiler: Compiler, node: ComprehensionNode): string {
  const { emitter } = compiler;
  const makesMap = node.macro === "transformMap" || node.macro === "transformMapEntry";
  const result = emitter.assign(makesMap ? `${compiler.helper(newMap)}()` : "[]");
  compileLoop(compiler, node, () => {
    if (node.predicate === undefined) {
      addElement(compiler, node, result);
      return;
    }
    const holds = compileCondition(compiler, node.predicate);
    const added = emitter.capture(() => addElement(compiler, node, result));
    emitter.line(`if (${holds}) {`);
    emitter.place(added.lines);
    emitter.line("}");
    emitter.mayThrow ||= added.throws;
  });
  emitter.charge(IDENT_COST);
  return result;
}

function addElement(compiler: Compiler, node: ComprehensionNode, result: string): void {
  const { emitter } = compiler;
  const local = () =>
    compiler.compile({ kind: "local", type: node.local.type, local: node.local, offset: node.offset });
  switch (node.macro) {
    case "transformMap": {
      const key = local();
      const value = compiler.compile(node.transform!);
      emitter.charge(IDENT_COST + CALL_COST);
      compiler.throwingLine(`${compiler.helper(insertEntry)}(${result}, ${key}, ${value});`);
      return;
    }
    case "transformMapEntry": {
      const entries = compiler.compile(node.transform!);
      emitter.charge(IDENT_COST + CALL_COST);
      compiler.throwingLine(`${compiler.helper(insertAll)}(${result}, ${entries});`);
      return;
    }
    default: {
      const value = node.macro === "filter" ? local() : compiler.compile(node.transform!);
      // A list that contains a constant is created before the expression is evaluated.
      const isConstant = node.macro !== "filter" && fold(node.transform!) !== undefined;
      emitter.charge(IDENT_COST + (isConstant ? 0 : LIST_CREATE_COST) + CALL_COST);
      emitter.line(`${result}.push(${value});`);
    }
  }
}
