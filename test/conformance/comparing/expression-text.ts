import type { Random } from "../../hostile/random.ts";
import { LEAVES, TEMPLATES } from "./expression-templates.ts";

/** Types for templates with a part of any type. */
const SIMPLE = ["int", "uint", "double", "string", "bool", "bytes", "duration", "timestamp"];
const KEYS = ["int", "uint", "double", "string", "bool"];
const ANY = [...SIMPLE, "list(int)", "list(string)", "map(string,int)", "optional(string)", "dyn", "null"];
const HOLE = /\$((?:list|optional|map)\((?:[^()]|\([^()]*\))*\)|[a-zA-Z]+)/g;
const MOST_LOOPS = 3;
const NOISE = [
  "",
  "",
  " ",
  ".",
  "?",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ",",
  "'",
  '"',
  "\\",
  "1",
  "u",
  "-",
  "!",
  "in",
  "é",
  "// x\n",
  "\n",
];

/** A loop variable. */
interface Variable {
  readonly name: string;
  readonly type: string;
}

/**
 * Returns a random expression of a type over fields of `self`, literals, and functions of all libraries. Some expressions are invalid, unless
 * `mayBeFaulty` is false.
 */
export function expressionText(random: Random, type: string, depth: number, mayBeFaulty = true): string {
  const text = new ExpressionWriter(random, mayBeFaulty ? 0.015 : 0).write(type, depth, []);
  if (!mayBeFaulty || !random.chance(0.03)) return text;
  const at = random.int(text.length);
  return text.slice(0, at) + random.pick(NOISE) + text.slice(at + random.int(3));
}

export const randomType = (random: Random): string => random.pick(ANY);

class ExpressionWriter {
  readonly #random: Random;
  /** Probability that a part has a wrong type. */
  readonly #mistyped: number;
  #names = 0;

  constructor(random: Random, mistyped: number) {
    this.#random = random;
    this.#mistyped = mistyped;
  }

  write(wanted: string, depth: number, scope: readonly Variable[]): string {
    const random = this.#random;
    const type = random.chance(this.#mistyped) ? random.pick(ANY) : wanted;
    const known = scope.filter((variable) => variable.type === type);
    if (known.length > 0 && random.chance(0.4)) return random.pick(known).name;
    if (depth <= 0 || random.chance(0.15)) return this.#leaf(type, scope);
    if (scope.length < MOST_LOOPS && random.chance(0.15)) {
      const loop = this.#loop(type, depth, scope);
      if (loop !== undefined) return loop;
    }
    const templates = [...(TEMPLATES[type] ?? []), ...(TEMPLATES[nameOf(type)] ?? []), ...(TEMPLATES.any ?? [])];
    return this.#fill(random.pick(templates), type, depth - 1, scope);
  }

  #fill(template: string, type: string, depth: number, scope: readonly Variable[]): string {
    const [A, B, C] = [this.#random.pick(SIMPLE), this.#random.pick(ANY), this.#random.pick(KEYS)];
    const [K = A, V = B] = parametersOf(type);
    const types: Readonly<Record<string, string>> = { A, B, C, K, V, T: type };
    return template.replace(HOLE, (_, hole: string) => {
      const filled = hole.replace(/\b[ABCKVT]\b/g, (name) => types[name] as string);
      return this.write(filled, depth, scope);
    });
  }

  #leaf(type: string, scope: readonly Variable[]): string {
    const leaves = LEAVES[type];
    if (leaves !== undefined) return this.#random.pick(leaves);
    const [K = "int", V = "int"] = parametersOf(type);
    const part = (of: string) => this.#leaf(of, scope);
    switch (nameOf(type)) {
      case "list":
        return `[${this.#random.times(3, () => part(K)).join(", ")}]`;
      case "map":
        return `{${this.#random.times(3, () => `${part(K)}: ${part(V)}`).join(", ")}}`;
      case "optional":
        return this.#random.chance(0.3) ? "optional.none()" : `optional.of(${part(K)})`;
      default:
        return part(this.#random.pick(SIMPLE));
    }
  }

  /** Returns a macro over a list or map, or one for an optional value. */
  #loop(type: string, depth: number, scope: readonly Variable[]): string | undefined {
    const random = this.#random;
    const of = random.pick([...SIMPLE, "int", "string"]);
    const isMap = random.chance(0.3);
    const [key, value] = isMap ? [random.pick(["string", "int"]), of] : ["int", of];
    const range = () => this.write(isMap ? `map(${key},${value})` : `list(${value})`, depth - 1, scope);
    const [i, x] = [`i${this.#names++}`, `x${this.#names++}`];
    const one = [...scope, { name: x, type: isMap ? key : value }];
    const two = [...scope, { name: i, type: key }, { name: x, type: value }];
    const inOne = (result: string) => this.write(result, depth - 1, one);
    const inTwo = (result: string) => this.write(result, depth - 1, two);
    const item = parametersOf(type)[0] ?? "int";
    if (type === "bool") {
      const macro = random.pick(["all", "exists", "exists_one"]);
      if (random.chance(0.6)) return `${range()}.${macro}(${x}, ${inOne("bool")})`;
      return `${range()}.${random.pick(["all", "exists", "existsOne"])}(${i}, ${x}, ${inTwo("bool")})`;
    }
    if (nameOf(type) === "list")
      return random.one(
        () => `${range()}.map(${x}, ${inOne(item)})`,
        () => `${range()}.map(${x}, ${inOne("bool")}, ${inOne(item)})`,
        () =>
          `${this.write(type, depth - 1, scope)}.filter(${x}, ${this.write("bool", depth - 1, [...scope, { name: x, type: item }])})`,
        () => `${range()}.transformList(${i}, ${x}, ${inTwo(item)})`,
        () => `${range()}.transformList(${i}, ${x}, ${inTwo("bool")}, ${inTwo(item)})`,
      );
    if (nameOf(type) === "map") {
      const result = parametersOf(type)[1] ?? "int";
      const map = () => this.write(`map(${item},${value})`, depth - 1, scope);
      const scoped = [...scope, { name: i, type: item }, { name: x, type: value }];
      const inMap = (part: string) => this.write(part, depth - 1, scoped);
      return random.one(
        () => `${map()}.transformMap(${i}, ${x}, ${inMap(result)})`,
        () => `${map()}.transformMap(${i}, ${x}, ${inMap("bool")}, ${inMap(result)})`,
        () => `${range()}.transformMapEntry(${i}, ${x}, {${inTwo(item)}: ${inTwo(result)}})`,
      );
    }
    if (nameOf(type) === "optional") {
      const from = `${this.write(`optional(${of})`, depth - 1, scope)}`;
      const inside = (part: string) => this.write(part, depth - 1, [...scope, { name: x, type: of }]);
      return random.chance(0.5) ? `${from}.optMap(${x}, ${inside(item)})` : `${from}.optFlatMap(${x}, ${inside(type)})`;
    }
    return undefined;
  }
}

const nameOf = (type: string): string => type.replace(/\(.*/s, "");

function parametersOf(type: string): string[] {
  const inside = /\((.*)\)$/s.exec(type)?.[1];
  if (inside === undefined) return [];
  const comma = nameOf(type) === "map" ? inside.indexOf(",") : -1;
  return comma < 0 ? [inside] : [inside.slice(0, comma), inside.slice(comma + 1)];
}
