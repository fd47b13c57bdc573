import type { DecodeOptions } from "./type-schema.ts";

/** What travels along one decoding. Paths are not: problems and errors are prefixed while the calls unwind. */
export interface DecodeContext {
  readonly problems: string[] | undefined;
  readonly duplicates: ReadonlyMap<object, readonly string[]> | undefined;
  readonly given: boolean;
  readonly restores: boolean;
  readonly reuses: boolean;
  readonly textOf: DecodeOptions["textOf"] | undefined;
  readonly ready: ReadonlySet<object> | undefined;
}

/** Never called with undefined or null: those are the caller's absent value. */
export type Decoder = (value: unknown, context: DecodeContext) => unknown;
