import { posix } from "node:path";
import type { DefinitionFile, Import, TypeDeclaration } from "../reader/syntax.ts";
import { VOCABULARY } from "../reader/syntax.ts";
import type { TypeRef } from "./contract.ts";
import { isWord } from "./vocabulary.ts";

const ROOT = "api-definitions/";
const KEYWORDS = new Set(["string", "boolean", "unknown", "Array", "ReadonlyArray", "Record"]);

/** A file, or the vocabulary, and a name that it declares. */
type Source = Pick<Import, "file" | "name">;

export type Origin = "vocabulary" | "keyword" | TypeRef;

/** Returns the module of a definition file: its folder below api-definitions (`apps/v1`). */
export function moduleOf(file: string): string {
  return posix.dirname(file).slice(ROOT.length);
}

/** Returns the expected file name of a kind: csi-driver for `CSIDriver`, stateful-set for `StatefulSet`. */
export function kebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();
}

/** Resolves names through the import declarations of the files. */
export class Names {
  readonly #files: ReadonlyMap<string, DefinitionFile>;
  /** Files by module and the name of a declared type. */
  readonly #placed = new Map<string, string>();
  readonly #local = new Map<string, ReadonlyMap<string, TypeDeclaration>>();

  constructor(files: readonly DefinitionFile[]) {
    this.#files = new Map(files.map((file) => [file.path, file]));
    for (const file of files) {
      this.#local.set(file.path, new Map(file.types.map((type) => [type.name, type])));
      for (const { name } of file.types) this.#placed.set(`${posix.dirname(file.path)} ${name}`, file.path);
    }
  }

  /** Returns where a name used in a file is declared; undefined if it is not declared. */
  origin(file: string, name: string): Origin | undefined {
    const source = this.#source(file, name);
    if (source === undefined) return this.#isImported(file, name) || !KEYWORDS.has(name) ? undefined : "keyword";
    return source.file === VOCABULARY ? "vocabulary" : `${moduleOf(source.file)}.${source.name}`;
  }

  /** Returns the vocabulary's name of a word, which may be imported under another name. */
  vocabularyName(file: string, name: string): string {
    return this.#source(file, name)?.name ?? name;
  }

  /** Returns the declaration of a name and its file. */
  declaration(file: string, name: string): { declaration: TypeDeclaration; file: string } | undefined {
    const source = this.#source(file, name);
    const declaration = source && this.#local.get(source.file)?.get(source.name);
    return declaration && { declaration, file: source.file };
  }

  /** Returns the file that declares a name: the given file or one that it imports from, directly or through a namespace (`shelves.Shelf`). */
  #source(file: string, name: string): Source | undefined {
    if (this.#local.get(file)?.has(name)) return { file, name };
    const [first = "", ...members] = name.split(".");
    const imported = this.#files.get(file)?.imports.get(first);
    return imported && this.#within(imported, members, new Set());
  }

  #within({ file, name }: Source, members: readonly string[], passed: Set<string>): Source | undefined {
    if (name !== "*") return this.#exported(file, [name, ...members].join("."), passed);
    return members.length === 0 ? undefined : this.#exported(file, members.join("."), passed);
  }

  /** Returns the file that declares a name which a file or module exports. Exports of files may be circular. */
  #exported(file: string, name: string, passed: Set<string>): Source | undefined {
    if (file === VOCABULARY) return { file, name };
    const place = this.#placed.get(`${file} ${name}`) ?? file;
    if (this.#local.get(place)?.has(name)) return { file: place, name };
    const step = `${file} ${name}`;
    const { exports, exportsAllOf = [] } = this.#files.get(file) ?? {};
    if (passed.has(step)) return undefined;
    passed.add(step);
    const [first = "", ...members] = name.split(".");
    const named = exports?.get(first);
    if (named !== undefined) return this.#within(named, members, passed);
    for (const other of exportsAllOf) {
      const found = other === VOCABULARY && !isWord(name) ? undefined : this.#exported(other, name, passed);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #isImported(file: string, name: string): boolean {
    return this.#files.get(file)?.imports.has(name) === true;
  }

  /** Returns why a name is not a type of the definitions. */
  whyUnknown(file: string, name: string): string {
    const imported = this.#files.get(file)?.imports.get(name);
    const space = this.#files.get(file)?.imports.get(name.replace(/\..*/, ""));
    if (imported === undefined && space?.name === "*") return `${space.file} does not define it`;
    if (imported === undefined) return "it is neither defined nor imported in this file";
    if (!imported.file.startsWith("api-definitions/")) return `${imported.file} is not a definition file`;
    return `${imported.file} does not define it; import it from the file that does`;
  }

  /** Returns every name that a file can use as a type: those that it declares or imports, except `except`. */
  visible(file: string, except?: string): string[] {
    const names = [...(this.#local.get(file)?.keys() ?? []), ...(this.#files.get(file)?.imports.keys() ?? [])];
    return names.filter((name) => name !== except);
  }
}
