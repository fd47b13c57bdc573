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
  /** What belongs into `generated/`: all of it, and nothing else. Empty when there are errors. */
  readonly artifacts: readonly Artifact[];
  /** What clients can rely on; absent when the definitions themselves are wrong. */
  readonly snapshot?: ApiSnapshot;
  /** The only definition files the generator writes: numbers for new fields. */
  readonly fieldNumbers: readonly Artifact[];
}

export interface GenerateOptions {
  readonly checkRule?: RuleChecker;
  /** False skips the check that everything is described, as drafts and tests may. */
  readonly checksDescriptions?: boolean;
  /** Take the snapshot of definitions that can be read, though checks find something wrong with them. */
  readonly snapshotAnyway?: boolean;
  /** Definition files that were read before. */
  readonly cache?: DefinitionCache;
  /** Shared by runs over the same project with the same options. */
  readonly memory?: GenerationMemory;
  /** Called before each step, for progress. */
  readonly onStep?: (step: string) => void;
}

/** The whole pipeline, in memory: definitions in, files out. */
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

/** `generated/sources.json`: what was generated from, so that a server can say that it is out of date. */
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
