import { hashDefinitions, hashText } from "../runtime/registry/definition-hashes.ts";
import type { Artifact } from "./artifact.ts";
import type { RuleChecker } from "./checks/check-context.ts";
import { CHECKS } from "./checks/checks.ts";
import { checkDescriptions } from "./checks/descriptions.ts";
import { checkEvolution } from "./checks/evolution.ts";
import { Diagnostics } from "./diagnostics.ts";
import { EMITTERS } from "./emitters/emitters.ts";
import { emitFieldNumbers } from "./emitters/protobuf/emit-field-numbers.ts";
import { type ApiSnapshot, takeSnapshot } from "./evolution/snapshot.ts";
import { buildModel } from "./model/build-model.ts";
import { GenerationMemory } from "./model/generation-memory.ts";
import type { Model } from "./model/model.ts";
import type { DefinitionCache } from "./reader/definition-cache.ts";
import { readDefinitions } from "./reader/read-definitions.ts";
import { readProject } from "./reader/read-project.ts";
import { createRuleChecker } from "./rule-checker.ts";
import { isOwnFile, type SourceTree } from "./source-tree.ts";

export interface Generation {
  readonly model: Model;
  readonly diagnostics: Diagnostics;
  /** The complete content of `generated/`. Empty if there are errors. */
  readonly artifacts: readonly Artifact[];
  /** The API that clients can rely on; absent if the definitions themselves are invalid. */
  readonly snapshot?: ApiSnapshot;
  /** Changed `field-numbers.json` files, with numbers for new fields. The generator writes no other definition files. */
  readonly fieldNumbers: readonly Artifact[];
}

export interface GenerateOptions {
  readonly checkRule?: RuleChecker;
  /** False skips the check for descriptions, as for drafts and in tests. */
  readonly checksDescriptions?: boolean;
  /** Takes the snapshot even if checks report errors, as long as the definitions can be read. */
  readonly snapshotAnyway?: boolean;
  /** Cache of definition files that were read before. */
  readonly cache?: DefinitionCache;
  /** State that runs over the same project with the same options share. */
  readonly memory?: GenerationMemory;
  /** Called before each step, for progress. */
  readonly onStep?: (step: string) => void;
}

/** Runs the whole pipeline in memory: reads definitions, checks them, and returns the files to write. */
export function generate(tree: SourceTree, options: GenerateOptions = {}): Generation {
  const { checkRule = createRuleChecker(), memory = new GenerationMemory(), onStep = () => undefined } = options;
  const diagnostics = new Diagnostics();
  onStep(`reading ${tree.files.size} files`);
  const model = buildModel(
    readDefinitions(tree, diagnostics, options.cache),
    tree,
    diagnostics,
    readProject(tree, diagnostics),
    memory,
  );
  const isUnderstood = !diagnostics.hasErrors;
  onStep("checking");
  const checks = options.checksDescriptions === false ? CHECKS : [...CHECKS, checkDescriptions];
  for (const check of checks) check({ model, tree, diagnostics, checkRule });
  const mayTell = isUnderstood && options.snapshotAnyway === true;
  if (diagnostics.hasErrors && !mayTell) return { model, diagnostics, artifacts: [], fieldNumbers: [] };
  onStep("generating");
  const artifacts = EMITTERS.flatMap((emit) => emit(model));
  const snapshot = snapshotOf(artifacts, memory);
  checkEvolution(tree, model, snapshot, diagnostics);
  if (diagnostics.hasErrors) return { model, diagnostics, snapshot, artifacts: [], fieldNumbers: [] };
  if (diagnostics.count === 0) memory.keep();
  const fieldNumbers = emitFieldNumbers(model, tree);
  return {
    model,
    diagnostics,
    snapshot,
    artifacts: [...artifacts, emitSources(tree, fieldNumbers, memory)],
    fieldNumbers,
  };
}

/** `generated/sources.json`: hashes of the definitions, by which a server detects that `generated/` is out of date. */
function emitSources(tree: SourceTree, changed: readonly Artifact[], memory: GenerationMemory): Artifact {
  const own = [...tree.files].filter(([path]) => isOwnFile(tree, path));
  const files = new Map([...own, ...changed.map(({ path, text }) => [path, text] as const)]);
  const hash = (folder: string, text: string): string => memory.parsed(`hash of ${folder}`, text, hashText);
  const rows = Object.entries(hashDefinitions(files, hash)).map(([folder, hash]) => `  "${folder}": "${hash}"`);
  return { path: "generated/sources.json", text: `{\n${rows.join(",\n")}\n}\n` };
}

function snapshotOf(artifacts: readonly Artifact[], memory: GenerationMemory): ApiSnapshot {
  const texts = new Map(artifacts.map(({ path, text }) => [path.replace(/^generated\//, ""), text]));
  const typeFiles = [...texts.keys()].filter((path) => path.startsWith("types/")).sort();
  return takeSnapshot(
    (path) => texts.get(path),
    typeFiles,
    (path, text) => memory.parsed(path, text, JSON.parse),
  );
}
