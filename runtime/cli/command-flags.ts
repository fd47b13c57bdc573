import { didYouMean } from "../lib/did-you-mean.ts";
import { UsageError } from "./parse-flags.ts";

/** A flag of one of the small commands; `short` is its one-letter form. */
export interface CommandFlag {
  readonly name: string;
  readonly short?: string;
  readonly type: "text" | "list" | "switch";
  readonly help: string;
}

export interface CommandValues {
  text(name: string): string | undefined;
  list(name: string): readonly string[];
  isOn(name: string): boolean;
}

/** Reads `--name value`, `--name=value`, `-n value` and switches. Throws a UsageError for anything else. */
export function readCommandFlags(args: readonly string[], flags: readonly CommandFlag[]): CommandValues {
  const values = new Map<string, string[]>();
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] ?? "";
    const [, dashes = "", name = "", attached] = /^(--?)([A-Za-z][a-z0-9-]*)(?:=(.*))?$/s.exec(argument) ?? [];
    const flag = flags.find((one) => (dashes === "--" ? one.name === name : one.short === name || one.name === name));
    if (flag === undefined) {
      const hint = didYouMean(
        name,
        flags.map((one) => one.name),
      );
      const files = flags.some((one) => one.name === "filename") ? "; files are named with -f" : "";
      throw new UsageError(
        dashes === "" ? `unexpected argument "${argument}"${files}` : `unknown flag ${argument}${hint}`,
      );
    }
    if (flag.type === "switch" && attached === undefined) {
      values.set(flag.name, ["true"]);
      continue;
    }
    const value = attached ?? args[++index];
    if (value === undefined) throw new UsageError(`--${flag.name} needs a value`);
    values.set(flag.name, [...(values.get(flag.name) ?? []), value]);
  }
  return {
    text: (name) => values.get(name)?.at(-1),
    list: (name) => values.get(name) ?? [],
    isOn: (name) => values.get(name)?.at(-1) === "true",
  };
}

export function describeCommandFlags(flags: readonly CommandFlag[]): string {
  return flags
    .map(({ name, short, help }) => `  ${short === undefined ? "    " : `-${short}, `}--${name.padEnd(18)} ${help}`)
    .join("\n");
}
