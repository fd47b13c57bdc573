import { parseGoBool } from "../go/bool.ts";
import { parseDuration } from "../go/duration.ts";
import { didYouMean } from "../lib/did-you-mean.ts";
import { FLAG_SECTIONS, FLAGS, type Flag } from "./flags.ts";

/** An invalid command line; the exit status is 2. */
export class UsageError extends Error {
  readonly code = "Usage";
}

/** Values of flags by name. */
export class FlagValues {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  /** Whether the flag is on the command line at all. */
  given(name: string): boolean {
    return this.#values.has(name);
  }

  /** Every value as it was written, not split at commas. */
  texts(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  string(name: string): string | undefined {
    return this.#values.get(name)?.at(-1) ?? flagNamed(name)?.default;
  }

  list(name: string): string[] {
    const given = this.#values.get(name) ?? [flagNamed(name)?.default ?? ""];
    return given.flatMap((value) => value.split(",")).filter((value) => value !== "");
  }

  /** Values as they were given, each from a flag of its own. */
  array(name: string): readonly string[] {
    const fallback = flagNamed(name)?.default;
    return this.#values.get(name) ?? (fallback === undefined ? [] : [fallback]);
  }

  boolean(name: string): boolean {
    const text = this.string(name) ?? "false";
    const value = parseGoBool(text);
    if (value === undefined) throw new UsageError(`--${name}=${text}: write true or false`);
    return value;
  }

  number(name: string): number {
    const value = this.string(name) ?? "0";
    if (!/^\d+$/.test(value)) {
      throw new UsageError(`--${name}=${value}: not a number`);
    }
    return Number(value);
  }

  /** From 0 to `most`. */
  fraction(name: string, most: number): number {
    const value = this.string(name) ?? "0";
    if (!/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(value) || Number(value) > most) {
      throw new UsageError(`--${name}=${value}: write a number from 0 to ${most}`);
    }
    return Number(value);
  }

  /** One of a few words. */
  choice<T extends string>(name: string, choices: readonly T[]): T {
    const value = this.string(name) ?? "";
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) {
      throw new UsageError(`--${name}=${value}: write one of ${choices.join(", ")}`);
    }
    return chosen;
  }

  /** In milliseconds. */
  duration(name: string): number {
    const value = this.string(name) ?? "0s";
    let nanoseconds: bigint;
    try {
      nanoseconds = parseDuration(value);
    } catch {
      throw new UsageError(`--${name}=${value}: not a duration; write 30s or 1m`);
    }
    if (nanoseconds < 0n) throw new UsageError(`--${name} can not be negative value`);
    return Number(nanoseconds) / 1e6;
  }
}

/** Reads `--name=value`, `--name value` and, for booleans, `--name`. Throws a UsageError for a value that is not of the flag's type. */
export function parseFlags(args: readonly string[]): FlagValues {
  const values = new Map<string, string[]>();
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] ?? "";
    const match = /^--?([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(argument);
    if (match === null) {
      throw new UsageError(`unexpected argument "${argument}"`);
    }
    const name = match[1] ?? "";
    const flag = flagNamed(name);
    if (flag === undefined) {
      const names = FLAGS.map((known) => known.name);
      throw new UsageError(`unknown flag --${name}${didYouMean(name, names)}`);
    }
    let value = match[2];
    if (value === undefined && flag.type === "boolean") {
      value = "true";
    } else if (value === undefined) {
      index += 1;
      value = args[index];
      if (value === undefined) {
        throw new UsageError(`--${name} needs a value`);
      }
    }
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const flags = new FlagValues(values);
  checkTypes(flags);
  return flags;
}

/** Checks the values of all flags, even of those that this command does not read. */
function checkTypes(flags: FlagValues): void {
  for (const { name, type } of FLAGS) {
    if (!flags.given(name)) continue;
    if (type === "boolean" || type === "number" || type === "duration") flags[type](name);
  }
}

function flagNamed(name: string): Flag | undefined {
  return FLAGS.find((flag) => flag.name === name);
}

const HELP_COLUMN = 37;
const HELP_WIDTH = 120;

/** The text of `--help`: a heading for each section; help that does not fit beside a long name starts on the next line. */
export function describeFlags(): string {
  return FLAG_SECTIONS.map(({ title, flags }) => `${title}:\n\n${flags.map(describeFlag).join("\n")}`).join("\n\n");
}

function describeFlag(flag: Flag): string {
  const name = `  --${flag.name}`;
  const shown = flag.default === undefined || flag.default === "" ? [] : [`(default ${flag.default})`];
  const indent = `\n${" ".repeat(HELP_COLUMN)}`;
  const start = name.length < HELP_COLUMN ? name.padEnd(HELP_COLUMN) : `${name}${indent}`;
  return start + wrap([...flag.help.split(" "), ...shown], HELP_WIDTH - HELP_COLUMN).join(indent);
}

function wrap(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
