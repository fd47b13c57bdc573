import { posix } from "node:path";
import type { DefinitionFile, Import, TypeDeclaration } from "../reader/syntax.ts";
import { VOCABULARY } from "../reader/syntax.ts";
import type { TypeRef } from "./contract.ts";

const ROOT = "api-definitions/";
const KEYWORDS = new Set(["string", "boolean", "unknown", "Array", "ReadonlyArray", "Record"]);

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
    if (this.#local.get(file)?.has(name)) return `${moduleOf(file)}.${name}`;
    const imported = this.#files.get(file)?.imports.get(name);
    if (imported === undefined) return KEYWORDS.has(name) ? "keyword" : undefined;
    if (imported.file === VOCABULARY) return "vocabulary";
    const source = this.#fileOf(imported);
    const found = this.#local.get(source)?.has(imported.name);
    return found ? `${moduleOf(source)}.${imported.name}` : undefined;
  }

  /** Returns the file that declares an imported name. The import may name a module instead of a file. */
  #fileOf({ file, name }: Import): string {
    return this.#placed.get(`${file} ${name}`) ?? file;
  }

  /** Returns the vocabulary's name of a word, which may be imported under another name. */
  vocabularyName(file: string, name: string): string {
    return this.#files.get(file)?.imports.get(name)?.name ?? name;
  }

  /** Returns the declaration of a name and its file. */
  declaration(file: string, name: string): { declaration: TypeDeclaration; file: string } | undefined {
    const local = this.#local.get(file)?.get(name);
    if (local !== undefined) return { declaration: local, file };
    const imported = this.#files.get(file)?.imports.get(name);
    if (imported === undefined) return undefined;
    const source = this.#fileOf(imported);
    const declaration = this.#local.get(source)?.get(imported.name);
    return declaration && { declaration, file: source };
  }

  /** Returns why a name is not a type of the definitions. */
  whyUnknown(file: string, name: string): string {
    const imported = this.#files.get(file)?.imports.get(name);
    if (imported === undefined && name.includes(".")) return `import ${name.replace(/.*\./, "")} itself, by its name`;
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
