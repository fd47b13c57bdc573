import { join } from "node:path";
import { RELEASED_API } from "../../checks/evolution.ts";
import { type Diagnostic, renderDiagnostic } from "../../diagnostics.ts";
import { generate } from "../../generate.ts";
import { loadSourceTree } from "../../load-source-tree.ts";
import { openDefinitionCache } from "../../reader/definition-cache.ts";
import type { SourceTree } from "../../source-tree.ts";
import { canonicalSpec, differencesOf } from "../canonical.ts";
import { kindsByDefinition, writeDefinition } from "../custom-definition.ts";
import { type ForeignDefinition, type Imported, importDefinitions } from "./import-definitions.ts";

export interface CheckedImport extends Imported {
  /** Errors that the generator reports in the new files. */
  readonly errors: readonly string[];
  /** Differences between the imported definitions and those that `typeplane crds` will write. */
  readonly differences: readonly string[];
}

/**
 * Imports definitions into a project, in memory, then writes CustomResourceDefinitions from the result and compares them with the imported
 * ones. `isElsewhere`: the definitions will not belong to this project, so the rules about its releases do not apply.
 */
export async function importInto(
  root: string,
  definitions: readonly ForeignDefinition[],
  isElsewhere = false,
): Promise<CheckedImport> {
  const loaded = await loadSourceTree(root);
  const tree = isElsewhere ? withoutReleases(loaded) : loaded;
  const cacheFile = join(root, ".cache/definitions.bin");
  const cache = await openDefinitionCache(cacheFile, { empty: false });
  const { release } = generate(tree, { cache }).model.project;
  const imported = importDefinitions(definitions, {
    folderOf: folders(tree),
    release,
    fromPackage: tree.foreign !== undefined,
  });
  const { model, diagnostics } = generate({ ...tree, files: new Map([...tree.files, ...imported.files]) }, { cache });
  await cache.store(cacheFile);
  const isNew = ({ at, severity }: Diagnostic): boolean => severity === "error" && imported.files.has(at.file);
  return {
    ...imported,
    errors: diagnostics.sorted().filter(isNew).map(renderDiagnostic),
    differences: compareWithWritten(model, definitions),
  };
}

function withoutReleases(tree: SourceTree): SourceTree {
  return { ...tree, files: new Map([...tree.files].filter(([path]) => path !== RELEASED_API)) };
}

type Model = Parameters<typeof writeDefinition>[0];

/** Returns the differences between definitions and what is written from the model, with a conversion webhook. */
export function compareWithWritten(model: Model, definitions: readonly ForeignDefinition[]): string[] {
  const groups = [...new Set(definitions.map(({ spec }) => spec.group))];
  const webhook = { url: "https://localhost" };
  const written = kindsByDefinition(model, groups).map(
    (versions) => writeDefinition(model, versions, webhook).definition,
  );
  return definitions.flatMap(({ spec }) => {
    const name = `${spec.names?.plural}.${spec.group}`;
    const mine = written.find(({ metadata }) => metadata.name === name);
    if (mine === undefined) return [`${name}: is not written`];
    return differencesOf(canonicalSpec({ ...spec }), canonicalSpec({ ...mine.spec })).map((text) => `${name}${text}`);
  });
}

/**
 * Returns a function that chooses the folder of a group: the first part of its name, or the whole name with dashes if another group uses that
 * folder.
 */
function folders({ files }: SourceTree): (group: string) => string {
  const taken = new Map<string, string>();
  for (const [path, text] of files) {
    const [, folder] = /^api-definitions\/([^/]+)\/group\.ts$/.exec(path) ?? [];
    if (folder !== undefined) taken.set(folder, /name: "([^"]*)"/.exec(text)?.[1] ?? "");
  }
  return (group) => {
    const folder = [group.split(".")[0]!, group.replaceAll(".", "-")].find(
      (one) => (taken.get(one) ?? group) === group,
    );
    const chosen = folder ?? `${group.replaceAll(".", "-")}-imported`;
    taken.set(chosen, group);
    return chosen;
  };
}
