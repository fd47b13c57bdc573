import { WORDS } from "../../model/vocabulary.ts";

/** A definition file while it is written: its imports follow from what is used. */
export class ImportedFile {
  readonly #words = new Set<string>();
  readonly #meta = new Set<string>();
  readonly #parts: string[] = [];
  readonly #own = new Set<string>();
  /** Names of the types of the version, which all of its files share. */
  readonly #taken: Set<string>;
  readonly #kind: string;

  constructor(kind: string, taken: Set<string>) {
    this.#kind = kind;
    this.#taken = taken;
    this.#own.add(kind);
  }

  /** A word of the vocabulary, under another name where the kind has the same. */
  word(word: string): string {
    this.#words.add(word);
    return word === this.#kind ? `${word}Marker` : word;
  }

  /** A type of meta/v1. */
  meta(name: string): string {
    this.#meta.add(name);
    return name === this.#kind ? `${name}OfMeta` : name;
  }

  /** A name for a type that no other type of the version has. */
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

  /** Keeps the place of a text whose own types come after it. */
  reserve(): number {
    return this.#parts.push("") - 1;
  }

  fill(place: number, text: string): void {
    this.#parts[place] = text;
  }

  /** The text of the file, which ends with the declaration of the kind. */
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

/** Names that mean something else in TypeScript. */
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
