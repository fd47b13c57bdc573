import type { Flag } from "./flag.ts";

/** Flags, by the name of their value in the server's configuration. */
export type Rows = Readonly<Record<string, Flag>>;

/** Values of flags, under the same names. */
export type ValuesOf<R extends Rows> = { readonly [K in keyof R]: R[K] extends Flag<infer T> ? T : never };

/** The flags on the command line: strings by name of the flag. */
export type Given = ReadonlyMap<string, readonly string[]>;

/** Flags of one topic, under a heading in `--help` and in docs/flags.md, and the part of the configuration that they define. */
export interface Section<C = unknown> {
  readonly title: string;
  readonly flags: readonly Flag[];
  /** Throws a UsageError for values that are invalid, individually or in combination. */
  readonly read: (given: Given) => C;
}

/**
 * Creates a section from its flags. `toConfig` validates values that depend on each other, and maps names that differ from those of the flags;
 * `isGiven` returns whether one of these flags is on the command line.
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
