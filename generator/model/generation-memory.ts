import { posix } from "node:path";
import type { DefinitionFile } from "../reader/syntax.ts";
import type { SourceTree } from "../source-tree.ts";
import type { FieldNumbers, ModelMemory, ModuleModel, TypeModel } from "./model.ts";

/** A module as it was built, with what its types were made of. */
export interface BuiltModule {
  /** The text of its `field-numbers.json`, and what that says. */
  readonly numbersText: string | undefined;
  readonly known: FieldNumbers;
  /** Types before they got their numbers. */
  readonly declared: ReadonlyMap<string, TypeModel>;
  /** Plurals of its kinds, which descriptions of lists mention. */
  readonly plurals: ReadonlyMap<string, string>;
  readonly module: Pick<ModuleModel, "types" | "numbers">;
}

/** What a run was made from and what it built. */
interface Run {
  readonly tree: SourceTree;
  readonly config: string | undefined;
  readonly files: ReadonlyMap<string, DefinitionFile>;
  readonly modules: ReadonlyMap<string, BuiltModule>;
}

/** What of an earlier run is as a run without memory would build it. */
export interface Reusable {
  /** Whether a file, and all that it imports, is what it was. */
  isUnchanged(file: string): boolean;
  module(name: string): BuiltModule | undefined;
}

const NOTHING: Reusable = { isUnchanged: () => false, module: () => undefined };
const CONFIG = "typeplane.config.ts";
/** Files that other files see through imports only. Those of groups and of the platform decide about everything. */
const IN_VERSION = /^api-definitions\/[^/]+\/[^/]+\/[^/]+$/;

/**
 * What runs over the same project share. A type is the same object in two runs only if its file and all files that this imports are what
 * they were, and nothing that concerns all types changed. Whatever is derived from such a type alone, and from types that it refers to, is
 * therefore derived once. Only runs without diagnostics are remembered, so that what is not checked again had none.
 */
export class GenerationMemory implements ModelMemory {
  readonly #derived = new Map<string, WeakMap<object, unknown>>();
  readonly #parsed = new Map<string, { readonly text: string; readonly value: unknown }>();
  readonly #sound = new WeakSet<TypeModel>();
  #last: Run | undefined;
  #current: Run | undefined;

  of<Value>(what: string, key: object, make: () => Value): Value {
    let values = this.#derived.get(what);
    if (values === undefined) this.#derived.set(what, (values = new WeakMap()));
    if (values.has(key)) return values.get(key) as Value;
    const value = make();
    values.set(key, value);
    return value;
  }

  parsed<Value>(path: string, text: string, parse: (text: string) => Value): Value {
    const known = this.#parsed.get(path);
    if (known?.text === text) return known.value as Value;
    const value = parse(text);
    this.#parsed.set(path, { text, value });
    return value;
  }

  isSound(type: TypeModel): boolean {
    return this.#sound.has(type);
  }

  reusable(files: readonly DefinitionFile[], tree: SourceTree): Reusable {
    const last = this.#last;
    if (last === undefined || last.tree.foreign !== tree.foreign || last.tree.uses !== tree.uses) return NOTHING;
    if (last.config !== tree.files.get(CONFIG) || last.files.size !== files.length) return NOTHING;
    const changed = files.filter((file) => last.files.get(file.path) !== file);
    if (changed.some(({ path }) => !last.files.has(path) || !IN_VERSION.test(path))) return NOTHING;
    const concerned = importers(files, changed);
    return { isUnchanged: (file) => !concerned.has(file), module: (name) => last.modules.get(name) };
  }

  built(files: readonly DefinitionFile[], tree: SourceTree, modules: ReadonlyMap<string, BuiltModule>): void {
    const byPath = new Map(files.map((file) => [file.path, file]));
    this.#current = { tree, config: tree.files.get(CONFIG), files: byPath, modules };
  }

  /** The run that was built last has no diagnostics. */
  keep(): void {
    this.#last = this.#current;
    for (const { module } of this.#last?.modules.values() ?? [])
      for (const type of module.types.values()) this.#sound.add(type);
  }
}

/** The paths of files and of all that import them, directly or not. An import may name the folder of a file. */
function importers(files: readonly DefinitionFile[], changed: readonly DefinitionFile[]): ReadonlySet<string> {
  const imported = new Map<string, string[]>();
  for (const { path, imports } of files)
    for (const file of new Set([...imports.values()].map((one) => one.file)))
      imported.set(file, [...(imported.get(file) ?? []), path]);
  const found = new Set(changed.map(({ path }) => path));
  for (const path of found)
    for (const target of [path, posix.dirname(path)])
      for (const importer of imported.get(target) ?? []) found.add(importer);
  return found;
}
