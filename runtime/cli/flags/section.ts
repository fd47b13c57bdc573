import type { Flag } from "./flag.ts";

/** Flags by the name that the server's configuration gives their value. */
export type Rows = Readonly<Record<string, Flag>>;

/** Values of flags, under the same names. */
export type ValuesOf<R extends Rows> = { readonly [K in keyof R]: R[K] extends Flag<infer T> ? T : never };

/** What was given on the command line: texts by name of flag. */
export type Given = ReadonlyMap<string, readonly string[]>;

/** Flags of one subject, under a heading in `--help` and in docs/flags.md, and the part of the configuration that they make. */
export interface Section<C = unknown> {
  readonly title: string;
  readonly flags: readonly Flag[];
  /** Throws a UsageError for values that are wrong, alone or together. */
  readonly read: (given: Given) => C;
}

/**
 * Makes a section of its flags. `toConfig` checks values that depend on each other and names what is not called as its flag is; `isGiven`
 * says whether one of those flags is on the command line.
 */
export function section<const R extends Rows, C>(
  title: string,
  rows: R,
  toConfig: (values: ValuesOf<R>, isGiven: (...keys: (keyof R)[]) => boolean) => C,
): Section<C> {
  return {
    title,
    flags: Object.values(rows),
    read(given) {
      const values = Object.fromEntries(
        Object.entries(rows).map(([key, flag]) => [key, flag.read(given.get(flag.name))]),
      ) as ValuesOf<R>;
      return toConfig(values, (...keys) => keys.some((key) => given.has(rows[key]?.name ?? "")));
    },
  };
}
