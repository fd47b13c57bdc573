import { parseArgs } from "node:util";
import { didYouMean } from "../lib/did-you-mean.ts";
import { UsageError } from "./usage-error.ts";

/** What the command line may hold. */
export interface Option {
  readonly name: string;
  /** Its one-letter form. */
  readonly short?: string;
  /** Needs no value: without one it is `true`. */
  readonly isSwitch: boolean;
}

/**
 * Values by name of option, in the order in which they are given: `--name=value`, `--name value`, `-n value`, `-n=value`, `--switch`. Throws a
 * UsageError for anything else; `hint` is added where an argument is not an option.
 */
export function parseArguments(
  args: readonly string[],
  options: readonly Option[],
  hint = "",
): ReadonlyMap<string, readonly string[]> {
  const known = new Map(options.map((option) => [option.name, option]));
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      options.map(({ name, short, isSwitch }) => [
        name,
        { type: isSwitch ? ("boolean" as const) : ("string" as const), ...(short !== undefined && { short }) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") throw new UsageError(`unexpected argument "${token.value}"${hint}`);
    if (token.kind !== "option") continue;
    const option = known.get(token.name);
    if (option === undefined)
      throw new UsageError(`unknown flag ${token.rawName}${didYouMean(token.name, [...known.keys()])}`);
    // Of `-v=3` Node makes the value `=3`.
    const given = token.rawName.startsWith("--") ? token.value : token.value?.replace(/^=/, "");
    const value = given ?? (option.isSwitch ? "true" : undefined);
    if (value === undefined) throw new UsageError(`--${token.name} needs a value`);
    values.set(token.name, [...(values.get(token.name) ?? []), value]);
  }
  return values;
}
