import { WORDS } from "../../model/vocabulary.ts";

/** A definition file that is being written. Its imports are derived from the names that it uses. */
export class ImportedFile {
  readonly #words = new Set<string>();
  readonly #meta = new Set<string>();
  readonly #parts: string[] = [];
  readonly #own = new Set<string>();
  /** Names of all types of the version, shared by its files. */
  readonly #taken: Set<string>;
  readonly #kind: string;

  constructor(kind: string, taken: Set<string>) {
    this.#kind = kind;
    this.#taken = taken;
    this.#own.add(kind);
  }

  /** Returns the name of a word of the vocabulary. It is renamed if the kind has the same name. */
  word(word: string): string {
    this.#words.add(word);
    return word === this.#kind ? `${word}Marker` : word;
  }

  /** Returns the name of a type of meta/v1. It is renamed if the kind has the same name. */
  meta(name: string): string {
    this.#meta.add(name);
    return name === this.#kind ? `${name}OfMeta` : name;
  }

  /** Returns a name that no other type of the version has. */
  unique(name: string): string {
    let unique = name;
    for (let count = 2; this.#taken.has(unique) || WORDS.includes(unique) || RESERVED.has(unique); count++)
      unique = `${name}${count}`;
    this.#taken.add(unique);
    this.#own.add(unique);
    return unique;
  }

  declares(name: string): boolean {
    return this.#own.has(name);
  }

  /** Reserves the position of a text, so that the types it uses can be added after it. */
  reserve(): number {
    return this.#parts.push("") - 1;
  }

  fill(place: number, text: string): void {
    this.#parts[place] = text;
  }

  /** Returns the content of the file, which ends with the declaration of the kind. */
  text(declaration: string): string {
    const renamed = (name: string, other: string): string => (other === name ? name : `${name} as ${other}`);
    const metaImports = [...this.#meta].sort().map((name) => {
      const file = name === "ObjectMeta" ? "object-meta.ts" : "type-meta.ts";
      return `import type { ${renamed(name, this.meta(name))} } from "../../meta/v1/${file}";`;
    });
    const words = [...this.#words].sort().map((word) => `type ${renamed(word, this.word(word))}`);
    return [
      ...metaImports,
      `import { ${["kind", ...words].join(", ")} } from "../../vocabulary.ts";`,
      "",
      this.#parts.join("\n\n"),
      "",
      declaration,
      "",
    ].join("\n");
  }
}

/** Names that have another meaning in TypeScript or in definitions. */
const RESERVED = new Set([
  "Array",
  "Record",
  "Object",
  "String",
  "Number",
  "Boolean",
  "Function",
  "Namespaced",
  "ClusterScoped",
]);
