import { posix } from "node:path";
import type { DefinitionFile } from "../reader/syntax.ts";
import type { SourceTree } from "../source-tree.ts";
import type { FieldNumbers, ModelMemory, ModuleModel, TypeModel } from "./model.ts";

/** A built module, with the inputs of its types. */
export interface BuiltModule {
  /** Content of `field-numbers.json`, and the numbers read from it. */
  readonly numbersText: string | undefined;
  readonly known: FieldNumbers;
  /** Types without numbers. */
  readonly declared: ReadonlyMap<string, TypeModel>;
  /** Plurals of the module's kinds, which descriptions of lists contain. */
  readonly plurals: ReadonlyMap<string, string>;
  readonly module: Pick<ModuleModel, "types" | "numbers">;
}

/** Inputs and result of a run. */
interface Run {
  readonly tree: SourceTree;
  readonly config: string | undefined;
  readonly files: ReadonlyMap<string, DefinitionFile>;
  readonly modules: ReadonlyMap<string, BuiltModule>;
}

/** Results of an earlier run that are the same as a complete run would build. */
export interface Reusable {
  /** Whether neither a file nor any of its imports changed. */
  isUnchanged(file: string): boolean;
  module(name: string): BuiltModule | undefined;
}

const NOTHING: Reusable = { isUnchanged: () => false, module: () => undefined };
const CONFIG = "typeplane.config.ts";
/** Files that affect others only through imports. Files of groups and of the platform affect everything. */
const IN_VERSION = /^api-definitions\/[^/]+\/[^/]+\/[^/]+$/;

/**
 * State that runs over the same project share. A type is the same object in two runs only if neither its file nor any file that it imports
 * changed, and nothing that concerns all types did. What is derived from such a type and the types that it refers to is therefore derived
 * only once. Only runs without diagnostics are kept, so that skipped checks cannot hide a problem.
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

  /** Keeps the last run that was built. Must be called only if it has no diagnostics. */
  keep(): void {
    this.#last = this.#current;
    for (const { module } of this.#last?.modules.values() ?? [])
      for (const type of module.types.values()) this.#sound.add(type);
  }
}

/** Returns the paths of changed files and of all that import them, directly or indirectly. An import may name the folder of a file. */
function importers(files: readonly DefinitionFile[], changed: readonly DefinitionFile[]): ReadonlySet<string> {
  const imported = new Map<string, string[]>();
  for (const { path, imports, exports, exportsAllOf } of files)
    for (const file of new Set([...[...imports.values(), ...exports.values()].map((one) => one.file), ...exportsAllOf]))
      imported.set(file, [...(imported.get(file) ?? []), path]);
  const found = new Set(changed.map(({ path }) => path));
  for (const path of found)
    for (const target of [path, posix.dirname(path)])
      for (const importer of imported.get(target) ?? []) found.add(importer);
  return found;
}
