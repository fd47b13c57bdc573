import { mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Artifact } from "./artifact.ts";

/** What a run changed, or would change. Paths are relative to the root. */
export interface Changes {
  readonly written: readonly string[];
  readonly removed: readonly string[];
}

/** Compares artifacts with what is on disk below `folder`, which belongs to the generator alone. */
export async function compareWithDisk(root: string, folder: string, artifacts: readonly Artifact[]): Promise<Changes> {
  const wanted = new Set(artifacts.map((artifact) => artifact.path));
  const found = await Promise.all(
    artifacts.map(({ path }) => readFile(join(root, path), "utf8").catch(() => undefined)),
  );
  const written = artifacts.filter(({ text }, index) => found[index] !== text).map(({ path }) => path);
  const removed = (await listFiles(root, folder)).filter((path) => !wanted.has(path));
  return { written, removed };
}

/** Makes the disk agree: writes what differs, removes what is stale, leaves every other file (and its date) alone. */
export async function writeArtifacts(root: string, folder: string, artifacts: readonly Artifact[]): Promise<Changes> {
  const changes = await compareWithDisk(root, folder, artifacts);
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

async function listFiles(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
}
