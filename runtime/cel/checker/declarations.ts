import type { FunctionDeclaration, Library, Overload } from "../libraries/library.ts";
import type { Macro } from "../syntax/macros.ts";
import { type CelType, typeOf } from "../types/cel-type.ts";
import { typeNameOfType } from "../values/kinds.ts";

/** Libraries merged for lookup. Created once and shared by all environments that offer them. */
export class LibrarySet {
  readonly functions = new Map<string, readonly Overload[]>();
  readonly #types = new Map<string, CelType>();
  readonly #typeResolvers: readonly NonNullable<Library["resolveType"]>[];
  readonly macros: readonly Macro[];
  readonly names: ReadonlySet<string>;

  constructor(libraries: readonly Library[]) {
    this.macros = libraries.flatMap((library) => library.macros ?? []);
    this.names = new Set(libraries.map((library) => library.name));
    this.#typeResolvers = libraries.flatMap(({ resolveType }) => resolveType ?? []);
    for (const library of libraries) {
      for (const declaration of library.functions) this.#addFunction(declaration);
      for (const type of library.types ?? []) this.#types.set(typeNameOfType(type), type);
    }
  }

  type(name: string): CelType | undefined {
    let type = this.#types.get(name);
    for (const resolve of this.#typeResolvers) type ??= resolve(name);
    return type;
  }

  #addFunction({ name, overloads }: FunctionDeclaration): void {
    this.functions.set(name, [...(this.functions.get(name) ?? []), ...overloads]);
  }
}

/** The variables, types and functions that an expression may refer to. */
export class Declarations {
  readonly #variables: ReadonlyMap<string, CelType>;
  readonly #libraries: LibrarySet;
  readonly container: string;

  constructor(variables: Readonly<Record<string, CelType>>, libraries: LibrarySet, container = "") {
    this.#variables = new Map(Object.entries(variables));
    this.#libraries = libraries;
    this.container = container;
  }

  /** Resolves a name to a variable, with its full name. */
  variable(name: string): { name: string; type: CelType } | undefined {
    for (const candidate of this.#candidates(name)) {
      const type = this.#variables.get(candidate);
      if (type !== undefined) return { name: candidate, type };
    }
    return undefined;
  }

  /** Resolves a name to a type: `of` is the type itself, `type` is the type of the type as a value. */
  type(name: string): { name: string; type: CelType; of: CelType } | undefined {
    for (const candidate of this.#candidates(name)) {
      const of = this.#libraries.type(candidate);
      if (of !== undefined) return { name: candidate, type: typeOf(of), of };
    }
    return undefined;
  }

  function(name: string): { name: string; overloads: readonly Overload[] } | undefined {
    for (const candidate of this.#candidates(name)) {
      const overloads = this.#libraries.functions.get(candidate);
      if (overloads !== undefined) return { name: candidate, overloads };
    }
    return undefined;
  }

  /** The full names that a name may resolve to within the container, innermost first. A leading dot means the root. */
  *#candidates(name: string): Generator<string> {
    if (name.startsWith(".")) {
      yield name.slice(1);
      return;
    }
    const parts = this.container === "" ? [] : this.container.split(".");
    for (let length = parts.length; length > 0; length--) yield `${parts.slice(0, length).join(".")}.${name}`;
    yield name;
  }
}
