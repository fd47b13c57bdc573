import { createHash } from "node:crypto";
import { posix } from "node:path";

/** Files that `make generate` reads to compare releases, and tests: nothing is generated from them. */
const IRRELEVANT = /\.test\.ts$|^api-definitions\/released-api\.json$/;

/** Whether something is generated from a file of the definitions. */
export function isSource(path: string): boolean {
  return !IRRELEVANT.test(path);
}

const READS = /\breads\s*:/;

/** Whether a hooks file may declare kinds that it reads. */
export function mayRead(text: string): boolean {
  return READS.test(text);
}

const DEFAULTS = /\bdefault\b/;

/** Whether the code of a hooks file affects generated files: by the kinds that it reads, or by how it computes defaults. */
export function mayDecide(text: string): boolean {
  return mayRead(text) || DEFAULTS.test(text);
}

/** Returns a hash per folder of definitions, as recorded in `generated/sources.json`. For most hooks files only the name is hashed. */
export function hashDefinitions(
  files: Iterable<readonly [path: string, text: string]>,
  hash = (_folder: string, text: string): string => hashText(text),
): Record<string, string> {
  const folders = new Map<string, string[]>();
  for (const [path, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!isSource(path)) continue;
    const folder = posix.dirname(path);
    const parts = folders.get(folder) ?? [];
    folders.set(folder, parts);
    parts.push(path, path.endsWith(".hooks.ts") && !mayDecide(text) ? "" : text);
  }
  const hashes = [...folders].map(([folder, parts]): [string, string] => [
    folder,
    hash(folder, parts.map((part) => `${part}\0`).join("")),
  ]);
  return Object.fromEntries(hashes);
}

export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
