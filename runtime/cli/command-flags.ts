import { parseArguments } from "./parse-arguments.ts";

/** A flag of a command other than `serve`. `short` is its one-letter form. */
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

/** Parses `--name value`, `--name=value`, `-n value` and switches. Throws a UsageError for anything else. */
export function readCommandFlags(args: readonly string[], flags: readonly CommandFlag[]): CommandValues {
  const hint = flags.some(({ name }) => name === "filename") ? "; files are named with -f" : "";
  const options = flags.map(({ name, short, type }) => ({
    name,
    isSwitch: type === "switch",
    ...(short !== undefined && { short }),
  }));
  const values = parseArguments(args, options, hint);
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
