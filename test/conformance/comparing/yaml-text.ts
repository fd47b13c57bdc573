import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import { BLOCKS, ENDS, KEYS, PLAIN, QUOTED, STARTS, TAGGED } from "./yaml-parts.ts";

/** Writes a value as YAML in ways that encoders rarely use. */
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

  /** Returns the text after `key:`, including the line break. */
  #block(value: Parsed, depth: number): string {
    const random = this.#random;
    const indent = "  ".repeat(depth);
    if (depth > 1 && this.#odd(0.5)) return ` ${this.#oddScalar(indent)}`;
    if (typeof value !== "object" || value === null) return ` ${this.#scalar(value)}${this.#odd(0.2) ? " # c" : ""}\n`;
    if (Object.keys(value).length === 0 || random.chance(0.15)) return ` ${this.#flow(value)}\n`;
    const anchor = this.#odd() ? ` &a${++this.#anchors}` : "";
    if (Array.isArray(value)) {
      // Items may have the same indentation as the key.
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

  /** Returns a member that the value does not have, or a duplicate of one. */
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
