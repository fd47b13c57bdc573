import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Artifact } from "./artifact.ts";
import type { RuleChecker } from "./checks/check-context.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { generate } from "./generate.ts";
import { loadSourceTree } from "./load-source-tree.ts";
import { GenerationMemory } from "./model/generation-memory.ts";
import { type DefinitionCache, openDefinitionCache } from "./reader/definition-cache.ts";
import { createRuleChecker } from "./rule-checker.ts";
import type { SourceTree } from "./source-tree.ts";
import { writeArtifacts } from "./writer.ts";

const OUTPUT = "generated";
const DEFINITIONS = ".cache/definitions.bin";

/** The content of a file before and after a change; undefined if the file does not exist. */
export interface TextChange {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface SessionRun {
  readonly diagnostics: readonly Diagnostic[];
  readonly errors: number;
  /** Files of the project that changed since the last run without errors, by path below its root. */
  readonly sources: ReadonlyMap<string, TextChange>;
  /** Generated files that differ from those of the last run without errors. Empty if there are errors. */
  readonly artifacts: ReadonlyMap<string, TextChange>;
  /** Returns the content of a file of the project, for code frames. */
  text(path: string): string | undefined;
}

/**
 * Generates the same project repeatedly: reads only definitions that changed, and writes only generated files that differ. Writes nothing if
 * there are errors.
 */
export class GenerationSession {
  readonly #root: string;
  readonly #checkRule: RuleChecker = createRuleChecker();
  readonly #memory = new GenerationMemory();
  #tree: SourceTree;
  #cache: DefinitionCache;
  #artifacts: ReadonlyMap<string, string> | undefined;
  /** Content of changed files in the last run without errors. */
  #former = new Map<string, string | undefined>();

  private constructor(root: string, tree: SourceTree, cache: DefinitionCache) {
    this.#root = root;
    this.#tree = tree;
    this.#cache = cache;
  }

  static async open(root: string): Promise<GenerationSession> {
    const [tree, cache] = await Promise.all([loadSourceTree(root), openDefinitionCache(join(root, DEFINITIONS))]);
    return new GenerationSession(root, tree, cache);
  }

  /** Generates everything. */
  async start(): Promise<SessionRun> {
    const run = await this.#generate();
    if (run.errors === 0) await this.#cache.store(join(this.#root, DEFINITIONS));
    return run;
  }

  /** Generates again after files changed. Returns undefined if their content is unchanged. */
  async update(paths: Iterable<string>): Promise<SessionRun | undefined> {
    const changed = [...new Set(paths)].filter((path) => this.#read(path) !== this.#tree.files.get(path));
    if (changed.length === 0) return undefined;
    const imports = (text = ""): string =>
      [...text.matchAll(/\bfrom\s+"([^".][^"]*)"/g)].map(([, name]) => name).join();
    const importsDiffer = changed.some((path) => imports(this.#read(path)) !== imports(this.#tree.files.get(path)));
    for (const path of changed) if (!this.#former.has(path)) this.#former.set(path, this.#tree.files.get(path));
    // The project may use other packages now.
    if (importsDiffer) this.#tree = await loadSourceTree(this.#root);
    else this.#tree = { ...this.#tree, files: this.#changedFiles(changed) };
    return this.#generate();
  }

  #changedFiles(changed: readonly string[]): Map<string, string> {
    const files = new Map(this.#tree.files);
    for (const path of changed) {
      const text = this.#read(path);
      if (text === undefined) files.delete(path);
      else files.set(path, text);
    }
    return files;
  }

  #read(path: string): string | undefined {
    const file = join(this.#root, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }

  async #generate(): Promise<SessionRun> {
    const { diagnostics, artifacts, fieldNumbers } = generate(this.#tree, {
      cache: this.#cache,
      checkRule: this.#checkRule,
      memory: this.#memory,
    });
    this.#cache = this.#cache.afterRun();
    const found = diagnostics.sorted();
    const errors = found.filter(({ severity }) => severity === "error").length;
    const { files } = this.#tree;
    const sources = new Map([...this.#former].map(([path, before]) => [path, { before, after: files.get(path) }]));
    const run = { diagnostics: found, errors, sources, text: (path: string) => files.get(path) };
    if (errors > 0) return { ...run, artifacts: new Map() };
    this.#former = new Map();
    if (fieldNumbers.length > 0) await this.#writeFieldNumbers(fieldNumbers);
    return { ...run, artifacts: await this.#write(artifacts) };
  }

  async #writeFieldNumbers(numbers: readonly Artifact[]): Promise<void> {
    const files = new Map(this.#tree.files);
    for (const { path, text } of numbers) {
      files.set(path, text);
      await writeFile(join(this.#root, path), text);
    }
    this.#tree = { ...this.#tree, files };
  }

  async #write(artifacts: readonly Artifact[]): Promise<Map<string, TextChange>> {
    const before = this.#artifacts;
    const after = new Map(artifacts.map(({ path, text }) => [path, text]));
    this.#artifacts = after;
    if (before === undefined) {
      await writeArtifacts(this.#root, OUTPUT, artifacts);
      return new Map();
    }
    const changes = new Map<string, TextChange>();
    for (const path of new Set([...before.keys(), ...after.keys()]))
      if (before.get(path) !== after.get(path)) changes.set(path, { before: before.get(path), after: after.get(path) });
    await Promise.all(
      [...changes].map(async ([path, change]) => {
        const file = join(this.#root, path);
        if (change.after === undefined) return rm(file, { force: true });
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, change.after);
      }),
    );
    return changes;
  }
}
