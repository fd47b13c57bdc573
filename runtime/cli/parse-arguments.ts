import { parseArgs } from "node:util";
import { didYouMean } from "../lib/did-you-mean.ts";
import { UsageError } from "./usage-error.ts";

/** An option that the command line may contain. */
export interface Option {
  readonly name: string;
  /** Its one-letter form. */
  readonly short?: string;
  /** Whether the option needs no value. Without a value it is `true`. */
  readonly isSwitch: boolean;
}

/**
 * Returns values by name of the option, in the given order: `--name=value`, `--name value`, `-n value`, `-n=value`, `--switch`. Throws a UsageError
 * for anything else. `hint` is appended to the message for an argument that is not an option. `explain` may return why an option does not exist.
 */
export function parseArguments(
  args: readonly string[],
  options: readonly Option[],
  hint = "",
  explain: (name: string) => string | undefined = () => undefined,
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
      throw new UsageError(
        explain(token.name) ?? `unknown flag ${token.rawName}${didYouMean(token.name, [...known.keys()])}`,
      );
    // Node.js parses the value of `-v=3` as `=3`.
    const given = token.rawName.startsWith("--") ? token.value : token.value?.replace(/^=/, "");
    const value = given ?? (option.isSwitch ? "true" : undefined);
    if (value === undefined) throw new UsageError(`--${token.name} needs a value`);
    values.set(token.name, [...(values.get(token.name) ?? []), value]);
  }
  return values;
}
