import type { GenerateOptions } from "../../generator/generate.ts";

export const NUMBERS = "api-definitions/library/v1/field-numbers.json";
export const OLD = "api-definitions/library/v1beta1/book.ts";
export const CONVERSIONS = "api-definitions/library/conversions.ts";

/** A definition with a mistake. */
export interface DiagnosticCase {
  readonly text: string;
  readonly options?: GenerateOptions;
  readonly files?: { readonly [path: string]: string };
  /** The expected messages, in order. */
  readonly says: readonly string[];
}

/** Returns the definition of a Book with these spec fields, and its kind. */
export function book(fields: string, declaration = 'plural: "books"', extra = ""): string {
  return `export interface Book extends Namespaced { spec: Spec }
export interface Spec { ${fields} }
export interface Item { name: string; note?: string; tags?: string[]; optional?: string }
${extra}
export const book = kind<Book>({ ${declaration} });`;
}
