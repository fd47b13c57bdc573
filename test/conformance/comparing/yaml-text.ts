import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";

/** Plain scalars that mean something else in one version of YAML or another. */
const PLAIN = [
  ...["yes", "no", "on", "off", "y", "n", "Y", "N", "True", "FALSE", "null", "Null", "~", "NULL", "nULL", ""],
  ...[
    "010",
    "0o10",
    "0x1F",
    "0b11",
    "0b12",
    "1_000",
    "1__0",
    "_1",
    "1_",
    "+1",
    "-0",
    "+0.5",
    ".5",
    "5.",
    "1e3",
    "1E+2",
    "1e+21",
  ],
  ...[
    ".inf",
    "-.INF",
    "+.inf",
    ".nan",
    ".NaN",
    "1:30",
    "12:30:45",
    "190:20:30",
    "1.2.3",
    "0x",
    "0o8",
    "08",
    "09.5",
    "0.1e1",
  ],
  ...[
    "2020-01-01",
    "2020-01-01T00:00:00Z",
    "2020-1-1",
    "2020-01-01 10:00:00",
    "2020-01-01t00:00:00.5+01:00",
    "2020-13-01",
  ],
  ...[
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
  ],
  ...[
    "=",
    "<<",
    "a: b",
    "a:b",
    "a #b",
    "a#b",
    "-a",
    "- a",
    "?a",
    "? a",
    ":a",
    "[a",
    "{a",
    "a]",
    "*a",
    "&a",
    "!a",
    "|",
    ">",
    "%a",
  ],
  ...[
    "@a",
    "`a",
    "'a",
    '"a',
    "a'b",
    'a"b',
    "a\\b",
    "a, b",
    "--- a",
    "...",
    "a\tb",
    "é",
    "\u0085",
    "\u2028",
    "😀",
    "0.1",
    "1e400",
    "123456789.0",
  ],
];
const TAGGED = [
  ...[
    "!!str 1",
    "!!int '1'",
    "!!int 1.0",
    "!!float 1",
    "!!bool yes",
    "!!bool 'true'",
    "!!null ''",
    "!!str null",
    "!!str",
  ],
  ...[
    "!!binary eA==",
    "!!binary x",
    "!!timestamp 2020-01-01",
    "!!timestamp x",
    "!!map {}",
    "!!seq []",
    "!!seq {}",
    "!!set {a, b}",
  ],
  ...[
    "!!omap [a: 1]",
    "!foo bar",
    "!<tag:yaml.org,2002:str> 1",
    "!!merge <<",
    "! 1",
    "!!float 1e3",
    "!!float .inf",
    "!!int 0b1",
    "!!int x",
  ],
];
const QUOTED = [
  ...[
    "'it''s'",
    '"\\x41\\u0042\\U0001F600"',
    '"\\e\\a\\v\\0\\N\\_\\L\\P"',
    '"a\\\n  b"',
    '"a\n\n  b"',
    "'a\n  b'",
    '"\\/"',
    '"\\ud800"',
  ],
  ...['"\\q"', '"\t"', "''", '"yes"', "'1'", '"\\ud83d\\ude00"', '"a\\  b"'],
];
const BLOCKS = [
  "|\n  a\n  b\n",
  ">\n  a\n  b\n\n  c\n   d\n",
  "|-\n  a\n",
  "|+\n  a\n\n",
  ">-\n  a\n  b\n",
  "|2\n   a\n",
  "| # c\n  a\n",
  "|1\n a\n",
  "|0\n  a\n",
  "|\n\n",
  "|\n\ta\n",
  ">+\n\n  a\n\n",
];
const KEYS = [
  "1",
  "1.5",
  "true",
  "null",
  "~",
  "2020-01-01",
  "1e3",
  "0x10",
  "yes",
  "'a b'",
  '"c\\td"',
  "[a]",
  "{a: b}",
  "? a\n",
  "!!str 2",
  "&k d",
  "é",
  "=",
  "1_0",
  ".inf",
  "-1",
  "''",
];
const STARTS = [
  "---\n",
  "--- # c\n",
  "%YAML 1.1\n---\n",
  "%YAML 1.2\n---\n",
  "%TAG !e! tag:x,2000:\n---\n",
  "# c\n",
  "\n\n",
  "\ufeff",
  "---\n---\n",
  "...\n",
  "\t\n",
  "%FOO\n---\n",
  "--- ",
];
const ENDS = [
  "...\n",
  "---\n",
  "---\na: b\n",
  "...\n---\na: b\n",
  "# c",
  "\t",
  "---\n...\n",
  "x",
  "\u0000",
  "--- x",
  "]",
];

/** Writes a value as YAML in ways that printers seldom choose. */
export class OddYaml {
  readonly #random: Random;
  readonly #often: number;
  #anchors = 0;

  constructor(random: Random, often: number) {
    this.#random = random;
    this.#often = often;
  }

  text(value: Parsed): string {
    const random = this.#random;
    const start = random.chance(0.15) ? random.pick(STARTS) : "";
    const end = random.chance(0.1) ? random.pick(ENDS) : "";
    const body = random.chance(0.1) ? `${this.#flow(value)}\n` : this.#block(value, 0).replace(/^\n/, "");
    return `${start}${body}${end}`;
  }

  #odd(part = 1): boolean {
    return this.#random.chance(this.#often * part);
  }

  /** What stands after `key:`, with the end of its line. */
  #block(value: Parsed, depth: number): string {
    const random = this.#random;
    const indent = "  ".repeat(depth);
    if (depth > 1 && this.#odd(0.5)) return ` ${this.#oddScalar(indent)}`;
    if (typeof value !== "object" || value === null) return ` ${this.#scalar(value)}${this.#odd(0.2) ? " # c" : ""}\n`;
    if (Object.keys(value).length === 0 || random.chance(0.15)) return ` ${this.#flow(value)}\n`;
    const anchor = this.#odd() ? ` &a${++this.#anchors}` : "";
    if (Array.isArray(value)) {
      // Items may stand as deep as the key.
      const at = depth > 0 && random.chance(0.5) ? "  ".repeat(depth - 1) : indent;
      const items = value.map((item) => `${at}-${this.#item(item, at)}`);
      if (this.#odd(0.5) && this.#anchors > 0) items.push(`${at}- *a${1 + random.int(this.#anchors)}\n`);
      return `${anchor}\n${items.join("")}`;
    }
    const members = Object.entries(value).map(
      ([name, member]) => `${indent}${this.#key(name)}:${this.#block(member, depth + 1)}`,
    );
    if (this.#odd() && depth > 0) members.splice(random.int(members.length + 1), 0, `${indent}${this.#extra(value)}\n`);
    if (this.#odd(0.1)) members.push(`${indent}\tx: 1\n`);
    return `${anchor}\n${members.join("")}`;
  }

  #item(item: Parsed, at: string): string {
    const inner = this.#block(item, at.length / 2 + 1);
    if (!inner.startsWith("\n") || Array.isArray(item) || this.#random.chance(0.3)) return inner;
    return ` ${inner.slice(1).trimStart()}`;
  }

  /** A member that the value does not have, or has already. */
  #extra(value: Parsed): string {
    const random = this.#random;
    const name = random.pick(Object.keys(value));
    const alias = `*a${1 + random.int(this.#anchors + 1)}`;
    return random.one(
      () => `${name}: ${this.#flow(value[name])}`,
      () => `<<: ${alias}`,
      () => `<<: [${alias}, ${alias}]`,
      () => `<<: {x1: 1, ${name}: other}`,
      () => `<<: ${random.pick(["1", "null", "[1]", "{}", "[]", "a", "[{x1: 1}, {x1: 2}]"])}`,
      () => `"<<": {x2: 1}`,
      () => `other: ${alias}`,
      () => `${random.pick(KEYS)}: ${random.pick(["1", "x", "{}", "null", "{1: 2}", "{a: 1, a: 2}"])}`,
      () => `? ${random.pick(["a", "[a]", "{a: b}", "1"])}`,
    );
  }

  #key(name: string): string {
    if (!this.#odd(0.3)) return JSON.stringify(name).replace(/^"([a-z][\w./-]*)"$/i, "$1");
    return this.#random.pick([
      `"${name}"`,
      `'${name}'`,
      `!!str ${name}`,
      `${name} `,
      `? ${name}\n`,
      `&k${name.length} ${name}`,
    ]);
  }

  #oddScalar(indent: string): string {
    const random = this.#random;
    const text = random.pick(random.pick([PLAIN, PLAIN, TAGGED, QUOTED, BLOCKS]));
    return BLOCKS.includes(text) ? text.replaceAll("\n  ", `\n${indent}`) : `${text}\n`;
  }

  #scalar(value: Parsed): string {
    if (typeof value !== "string") return value === null ? this.#random.pick(["null", "~", ""]) : String(value);
    const isPlain = /^[a-z][a-z0-9./-]*$/i.test(value) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(value);
    if (isPlain && this.#random.chance(0.5)) return value;
    return this.#random.chance(0.5) && !/[\n\t]/.test(value)
      ? `'${value.replaceAll("'", "''")}'`
      : JSON.stringify(value);
  }

  #flow(value: Parsed): string {
    const random = this.#random;
    if (this.#odd(0.3)) return random.pick([...PLAIN, ...TAGGED, ...QUOTED]);
    const end = random.chance(0.1) ? "," : "";
    if (Array.isArray(value))
      return `[${value.map((item) => this.#flow(item)).join(", ")}${value.length > 0 ? end : ""}]`;
    if (typeof value !== "object" || value === null) return this.#scalar(value) || "null";
    const members = Object.entries(value).map(
      ([name, member]) =>
        `${this.#odd(0.5) ? name : JSON.stringify(name)}:${random.chance(0.9) ? " " : ""}${this.#flow(member)}`,
    );
    if (this.#odd(0.2)) members.push(random.pick(["a", "? b", "c:", "<<: {d: 1}", ": e", "'f':g", "g: *a1"]));
    return `{${members.join(random.pick([", ", ",", ",\n        "]))}${members.length > 0 ? end : ""}}`;
  }
}
