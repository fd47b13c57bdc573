/**
 * Output of the reader: plain data that mirrors the source (names are not resolved, markers are words) with the location of each element. The
 * later stages use only this and never TypeScript's own syntax tree.
 */

import type { TypeExpr } from "../../runtime/contract/type-table.ts";

/** A location in a definition file and the source text there. Lines and columns count from 1. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

export type TypeSyntax =
  | { readonly form: "word"; readonly name: string; readonly arguments: readonly TypeSyntax[]; readonly at: Location }
  | { readonly form: "list"; readonly of: TypeSyntax; readonly at: Location }
  | { readonly form: "map"; readonly of: TypeSyntax; readonly at: Location }
  | { readonly form: "all"; readonly members: readonly TypeSyntax[]; readonly at: Location }
  | { readonly form: "either"; readonly members: readonly TypeSyntax[]; readonly at: Location }
  /** The description is the comment before a member of a union. */
  | { readonly form: "literal"; readonly value: Literal; readonly description?: string; readonly at: Location }
  | { readonly form: "struct"; readonly fields: readonly FieldSyntax[]; readonly at: Location }
  /** An interpreted type that replaces a type parameter. The reader never creates it. */
  | { readonly form: "resolved"; readonly type: TypeExpr; readonly at: Location };

/** A literal value in the source: of a literal type, or of the argument of `kind()` and similar functions. */
export type Literal = string | number | boolean | null | readonly Literal[] | { readonly [key: string]: Literal };

export interface FieldSyntax {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeSyntax;
  readonly description: string;
  readonly at: Location;
}

/** An interface, or a type alias if `is` is set. */
export interface TypeDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly string[];
  readonly extends: readonly TypeSyntax[];
  readonly fields: readonly FieldSyntax[];
  readonly is?: TypeSyntax;
  readonly at: Location;
}

/** A literal object with the locations of its parts, by dotted path (`columns.2.path`). The path of the whole is empty. */
export interface LiteralSyntax {
  readonly value: { readonly [key: string]: Literal };
  readonly places: ReadonlyMap<string, Location>;
}

/** `export const <name> = <word><argument>(<declaration>)`, such as a kind or a group. */
export interface CallDeclaration {
  readonly word: string;
  readonly name: string;
  readonly types: readonly TypeSyntax[];
  readonly argument: LiteralSyntax;
  readonly at: Location;
}

/** Origin of an imported name: a definition file, or the vocabulary. */
export interface Import {
  readonly file: string;
  /** `*` for all names of the file, of `import * as name`. */
  readonly name: string;
  readonly at: Location;
}

export interface DefinitionFile {
  readonly path: string;
  readonly imports: ReadonlyMap<string, Import>;
  /** Names that the file exports without declaring them, and the files whose names it all exports. */
  readonly exports: ReadonlyMap<string, Import>;
  readonly exportsAllOf: readonly string[];
  readonly types: readonly TypeDeclaration[];
  readonly calls: readonly CallDeclaration[];
  /** Other exported constants with a literal value (`release`, `domain`, `vendor`). */
  readonly constants: ReadonlyMap<string, Literal>;
}

/** Value of `Import.file` for words of the vocabulary, whichever file declares them. */
export const VOCABULARY = "vocabulary";
