import type { DecodeOptions } from "./type-schema.ts";

/** State that is passed through one decoding. It contains no path: problems and errors are prefixed while the calls return. */
export interface DecodeContext {
  readonly problems: string[] | undefined;
  readonly duplicates: ReadonlyMap<object, readonly string[]> | undefined;
  readonly given: boolean;
  readonly restores: boolean;
  readonly reuses: boolean;
  readonly textOf: DecodeOptions["textOf"] | undefined;
  readonly ready: ReadonlySet<object> | undefined;
}

/** Decodes a value. Never called with undefined or null: the caller substitutes the absent value. */
export type Decoder = (value: unknown, context: DecodeContext) => unknown;
