import { mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Artifact } from "./artifact.ts";
import { readTree } from "./read-tree.ts";

/** Files that a run changed, or would change. Paths are relative to the root. */
export interface Changes {
  readonly written: readonly string[];
  readonly removed: readonly string[];
}

/** Compares artifacts with the files in `folder`, which contains generated files only. */
export function compareWithDisk(root: string, folder: string, artifacts: readonly Artifact[]): Changes {
  const wanted = new Set(artifacts.map((artifact) => artifact.path));
  const found = new Map(readTree(join(root, folder)).map(([path, text]) => [`${folder}/${path}`, text]));
  const written = artifacts.filter(({ path, text }) => found.get(path) !== text).map(({ path }) => path);
  const removed = [...found.keys()].filter((path) => !wanted.has(path));
  return { written, removed };
}

/** Updates the files on disk: writes those that differ and removes those that are obsolete. Other files keep their modification time. */
export async function writeArtifacts(root: string, folder: string, artifacts: readonly Artifact[]): Promise<Changes> {
  const changes = compareWithDisk(root, folder, artifacts);
  const written = new Set(changes.written);
  for (const { path, text } of artifacts) {
    if (!written.has(path)) continue;
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  for (const path of changes.removed) {
    await rm(join(root, path));
    await rmdir(dirname(join(root, path))).catch(() => undefined);
  }
  return changes;
}
