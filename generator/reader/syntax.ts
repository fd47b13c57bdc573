/**
 * What the reader makes of definition files: plain data that still looks like the text (names are not resolved, markers
 * are just words) and remembers where everything stood. Everything after the reader works on this and never sees TypeScript.
 */

import type { TypeExpr } from "../../runtime/contract/type-table.ts";

/** A place in a definition file and the text found there. Lines and columns count from 1. */
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
  /** A type already understood: what stands for a type parameter. Never made by the reader. */
  | { readonly form: "resolved"; readonly type: TypeExpr; readonly at: Location };

/** A value written out in the text: of a literal type, or of the argument of `kind()` and its siblings. */
export type Literal = string | number | boolean | null | readonly Literal[] | { readonly [key: string]: Literal };

export interface FieldSyntax {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeSyntax;
  readonly description: string;
  readonly at: Location;
}

/** An interface, or a type alias (`is`). */
export interface TypeDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly string[];
  readonly extends: readonly TypeSyntax[];
  readonly fields: readonly FieldSyntax[];
  readonly is?: TypeSyntax;
  readonly at: Location;
}

/** A literal with the places of its parts, by dotted path (`columns.2.path`); "" is the whole. */
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

/** Where an imported name comes from: a file of the definitions, or the vocabulary. */
export interface Import {
  readonly file: string;
  readonly name: string;
  readonly at: Location;
}

export interface DefinitionFile {
  readonly path: string;
  readonly imports: ReadonlyMap<string, Import>;
  readonly types: readonly TypeDeclaration[];
  readonly calls: readonly CallDeclaration[];
  /** Other exported constants with a literal value (`release`, `domain`, `vendor`). */
  readonly constants: ReadonlyMap<string, Literal>;
}

/** The import that makes a word part of the vocabulary, whatever file it is really written in. */
export const VOCABULARY = "vocabulary";
