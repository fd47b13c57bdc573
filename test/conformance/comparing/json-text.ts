import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";

/** Numbers in forms that JSON allows, and in some that it does not. */
const NUMBERS = [
  ...["1e3", "1E+2", "1.0", "-0", "0", "-0.0", "0.1", "1.50", "1e-7", "1e21", "1e20", "123456789012345678901234567890"],
  ...["9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615"],
  ...["0.1234567890123456789", "1e400", "-1e400", "1e-400", "5e-324", "2147483648", "1.7976931348623157e308", "12.0e1"],
];
const WRONG_NUMBERS = ["01", "+1", ".5", "1.", "0x10", "1e", "-", "NaN", "Infinity", "1_000", "--1"];
const STRINGS = [
  ...[
    '"\\u0041"',
    '"a\\/b"',
    '"\\ud83d\\ude00"',
    '"\\ud800"',
    '"\\udc00x"',
    '"\\ud800\\u0041"',
    '"\\u0000"',
    '"\\u2028"',
  ],
  ...['"<&>"', '"\\u003c"', '"é"', '"\\b\\f\\n\\r\\t"', '"\u007f"', '"\ufeff"', '"\\ufffd"', '"\\uFFFF"', '"1"', '""'],
];
const WRONG_STRINGS = ['"\\x"', '"\\u12"', '"a\nb"', '"\t"', '"\u0000"', "'a'", '"', '"\\', '"\\uD8\\u00"'];
/** Quantities, which Kubernetes does not unescape. */
const QUANTITY = /^\d+(\.\d+)?[a-z]*$/i;
const SPACES = ["", " ", "\n", "\t", "\r\n", "  "];
const WRONG_SPACES = ["\u00a0", "\v", "/**/", "//x\n", "\ufeff"];
const ENDS = ["\n", "  ", "x", "{}", " {}", "]", "}", ",", "\u0000", "\n---\n{}", "#", '"a"', " null", "1"];

/** Fields that identify the object. Changing them would refer to another object. */
const IDENTITY = new Set(["apiVersion", "kind", "metadata.name"]);

/** Probability of unusual syntax at each position. */
export interface Oddness {
  readonly often: number;
  /** Whether the text may be invalid JSON. */
  readonly isWrong: boolean;
}

/** Writes a value as JSON in ways that encoders rarely use. */
export class OddJson {
  readonly #random: Random;
  readonly #oddness: Oddness;

  constructor(random: Random, oddness: Oddness) {
    this.#random = random;
    this.#oddness = oddness;
  }

  text(value: Parsed): string {
    const random = this.#random;
    const start = this.#odd(0.3) ? random.pick(["\n\n", " ", "\t", "\ufeff", "#\n", "\u0000"]) : "";
    const end = this.#odd(0.5) ? random.pick(ENDS) : "";
    return `${start}${this.#value(value, [])}${end}`;
  }

  #odd(part = 1): boolean {
    return this.#random.chance(this.#oddness.often * part);
  }

  #wrong(): boolean {
    return this.#oddness.isWrong && this.#random.chance(0.1);
  }

  #value(value: Parsed, path: readonly string[]): string {
    const random = this.#random;
    if (IDENTITY.has(path.join(".")) && random.chance(0.95))
      return this.#odd() ? escaped(random, value) : JSON.stringify(value);
    if (path.length > 1 && this.#odd(0.3)) {
      return random.pick([
        "null",
        "null",
        "[]",
        "{}",
        '""',
        "[null]",
        "[[]]",
        "{}",
        "0",
        "false",
        "True",
        '"x"',
        '{"a":null}',
      ]);
    }
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#value(item, [...path, "0"]));
      if (this.#odd(0.5)) items.push(random.pick(["null", '"x"', ...items, "{}", "1", "[]"]));
      return `[${this.#space()}${items.join(`${this.#space()},${this.#space()}`)}${this.#wrong() ? "," : ""}${this.#space()}]`;
    }
    if (typeof value === "object" && value !== null) return this.#object(value, path);
    if (typeof value === "number" && this.#odd(3)) return this.#number(value);
    if (typeof value === "string" && this.#odd(2) && !QUANTITY.test(value)) return this.#string(value);
    return JSON.stringify(value) ?? "null";
  }

  #object(value: Parsed, path: readonly string[]): string {
    const random = this.#random;
    const names = Object.keys(value);
    const members = names.map(
      (name) => `${this.#key(name)}${this.#space()}:${this.#space()}${this.#value(value[name], [...path, name])}`,
    );
    const add = (member: string) => members.splice(random.int(members.length + 1), 0, member);
    const free = names.filter((each) => !IDENTITY.has([...path, each].join(".")));
    const name = free.length === 0 ? "a" : random.pick(free);
    // Values of a duplicate key are merged in ways that depend on their type.
    if (this.#odd() && path.length > 0) {
      if (random.chance(0.3)) members.unshift(`"${name}":null`);
      else if (typeof value[name] !== "object") members.unshift(`"${name}":${JSON.stringify(value[name]) ?? "null"}`);
    }
    if (this.#odd()) add(`"${otherCase(random, name)}":${JSON.stringify(value[name]) ?? "null"}`);
    if (this.#odd()) {
      const unknown = random.pick(["unknown", "", "__proto__", "a.b", "a\\u0000", "\\ud800", "é", "$patch"]);
      add(`"${unknown}":${random.pick(["null", "1", "{}", '{"a":1,"a":2}', '[1,{"b":1,"b":2}]', '"x"'])}`);
    }
    return `{${this.#space()}${members.join(`${this.#space()},`)}${this.#wrong() ? "," : ""}${this.#space()}}`;
  }

  #key(name: string): string {
    if (!this.#odd(0.5)) return JSON.stringify(name);
    if (this.#wrong()) return this.#random.pick([name, `'${name}'`, "1"]);
    return `"${[...name].map((char) => (this.#random.chance(0.4) ? unicodeEscape(char) : char)).join("")}"`;
  }

  #number(value: number): string {
    const random = this.#random;
    if (this.#wrong()) return random.pick(WRONG_NUMBERS);
    if (random.chance(0.3)) return random.pick(NUMBERS);
    if (!Number.isInteger(value)) return `${value}00`;
    return random.pick([
      `${value}.0`,
      `${value}e0`,
      `${value}E+0`,
      `${value}0e-1`,
      `${value / 10}e1`,
      `"${value}"`,
      `${value}.000e+00`,
    ]);
  }

  #string(value: string): string {
    const random = this.#random;
    if (this.#wrong()) return random.pick(WRONG_STRINGS);
    if (random.chance(0.3)) return random.pick(STRINGS);
    if (random.chance(0.2)) return random.pick(["1", "true", "null", "1.5"]);
    if (random.chance(0.2)) return `${JSON.stringify(value).slice(0, -1)}${random.pick(STRINGS).slice(1)}`;
    return escaped(random, value);
  }

  #space(): string {
    if (!this.#odd(0.5)) return "";
    return this.#random.pick(this.#wrong() ? WRONG_SPACES : SPACES);
  }
}

function escaped(random: Random, value: string): string {
  const chars = [...value].map((char) =>
    random.chance(0.5) ? unicodeEscape(char) : JSON.stringify(char).slice(1, -1),
  );
  return `"${chars.join("")}"`;
}

function unicodeEscape(char: string): string {
  const codes = Array.from({ length: char.length }, (_, index) => char.charCodeAt(index));
  return codes.map((code) => `\\u${code.toString(16).padStart(4, "0")}`).join("");
}

function otherCase(random: Random, name: string): string {
  return random.pick([
    name.toUpperCase(),
    name.slice(0, 1).toUpperCase() + name.slice(1),
    name.toLowerCase(),
    name.replace("s", "\u017f"),
    name.replace("k", "\u212a"),
    ` ${name}`,
  ]);
}
