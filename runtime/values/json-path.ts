/** Thrown for an invalid path, in a definition of the project or in a CustomResourceDefinition. */
export class JsonPathError extends Error {
  readonly code = "JsonPath";

  constructor(path: string, problem: string) {
    super(`invalid path ${JSON.stringify(path)}: ${problem}`);
    this.name = "JsonPathError";
  }
}

/** Returns all values at a path, in order, or nothing if the remaining effort is not sufficient. */
export type PathFinder = (object: unknown, effort?: Effort) => unknown[];

/** Number of values that may still be visited. */
export interface Effort {
  left: number;
}

type Step = (value: unknown) => readonly unknown[];

/**
 * Compiles a path such as `.spec.replicas`, `spec.nodeName`, `.status.conditions[?(@.type=="Ready")].status`,
 * `.metadata.labels['a.b']` or `.spec.ports[*].port`. The leading dot, `$` and braces are optional.
 */
export function compilePath(path: string): PathFinder {
  const steps = readSteps(path);
  return (object, effort) => {
    let found: readonly unknown[] = [object];
    for (const step of steps) {
      if (effort !== undefined && (effort.left -= entriesOf(found)) < 0) return [];
      found = found.length === 1 ? step(found[0]) : found.flatMap(step);
    }
    return found as unknown[];
  };
}

/** Number of values that a step visits. */
function entriesOf(values: readonly unknown[]): number {
  let entries = 0;
  for (const value of values) entries += Array.isArray(value) ? value.length + 1 : 1;
  return entries;
}

const PLAIN_PATH = /^\.[a-zA-Z]+(?:\.[a-zA-Z]+)*$/;

/** Compiles a function that returns the first value at a path, or undefined. */
export function compileGetter(path: string): (object: unknown) => unknown {
  if (PLAIN_PATH.test(path)) return memberGetter(path.slice(1).split("."));
  const find = compilePath(path);
  return (object) => find(object)[0];
}

/** Compiles a path that consists only of names, such as `.metadata.name`. */
function memberGetter(names: readonly string[]): (object: unknown) => unknown {
  return (object) => {
    let value = object;
    for (const name of names) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
      value = (value as { readonly [key: string]: unknown })[name];
    }
    return value;
  };
}

const NAME = /\.?((?:[^.[\]\\{}]|\\.)+)/y;
const QUOTED = /\[\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]/y;
const INDEX = /\[\s*(-?\d+)\s*\]/y;
const EVERY = /\[\s*\*\s*\]|\.\*/y;
const FILTER = /\[\?\(\s*@(\.?[^=!<>)\s]*)\s*(?:(==|!=|<=|>=|<|>)\s*('[^']*'|"[^"]*"|[^)\s]+)\s*)?\)\]/y;

function readSteps(path: string): Step[] {
  const text = path
    .trim()
    .replace(/^\{(.*)\}$/s, "$1")
    .replace(/^\$/, "");
  const steps: Step[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  while (at < text.length) {
    if (text === ".") break;
    let found: RegExpExecArray | null;
    if (match(EVERY) !== null) steps.push(everyChild);
    else if ((found = match(QUOTED)) !== null) steps.push(childNamed(unescaped(found[1] ?? found[2] ?? "")));
    else if ((found = match(INDEX)) !== null) steps.push(childAt(Number(found[1])));
    else if ((found = match(FILTER)) !== null) steps.push(childrenWhere(found[1] ?? "", found[2], found[3]));
    else if ((found = match(NAME)) !== null) steps.push(childNamed(unescaped(found[1] ?? "")));
    else throw new JsonPathError(path, `unexpected ${JSON.stringify(text.slice(at))}`);
  }
  return steps;
}

function unescaped(name: string): string {
  return name.replace(/\\(.)/g, "$1");
}

function childNamed(name: string): Step {
  return (value) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return NONE;
    const child = (value as { readonly [key: string]: unknown })[name];
    return child === undefined ? NONE : [child];
  };
}

const NONE: readonly unknown[] = [];

function childAt(index: number): Step {
  return (value) => {
    const child: unknown = Array.isArray(value) ? value.at(index) : undefined;
    return child === undefined ? NONE : [child];
  };
}

const everyChild: Step = (value) => {
  if (Array.isArray(value)) return value;
  return typeof value === "object" && value !== null ? Object.values(value) : NONE;
};

function childrenWhere(path: string, operator: string | undefined, literal: string | undefined): Step {
  const get = compileGetter(path);
  const holds = operator === undefined ? (found: unknown) => found !== undefined : comparison(operator, literal ?? "");
  return (value) => (Array.isArray(value) ? value.filter((item) => holds(get(item))) : NONE);
}

function comparison(operator: string, literal: string): (value: unknown) => boolean {
  const wanted = literalValue(literal);
  const order = (value: unknown) =>
    typeof value === typeof wanted && value !== undefined ? (value as number) - (wanted as number) : Number.NaN;
  switch (operator) {
    case "==":
      return (value) => value === wanted;
    case "!=":
      return (value) => value !== undefined && value !== wanted;
    case "<":
      return (value) => order(value) < 0;
    case "<=":
      return (value) => order(value) <= 0;
    case ">":
      return (value) => order(value) > 0;
    default:
      return (value) => order(value) >= 0;
  }
}

function literalValue(literal: string): unknown {
  if (/^['"]/.test(literal)) return literal.slice(1, -1);
  if (literal === "true") return true;
  if (literal === "false") return false;
  const number = Number(literal);
  return Number.isNaN(number) ? literal : number;
}
