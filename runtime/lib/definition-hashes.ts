import { createHash } from "node:crypto";
import { posix } from "node:path";

/** Read by `make generate` to compare releases, or by tests: nothing is generated from it. */
const IRRELEVANT = /\.test\.ts$|^api-definitions\/released-api\.json$/;

/** Whether the text of a file counts, or only its name. */
export function hasContent(path: string): boolean {
  return !path.endsWith(".hooks.ts") && !IRRELEVANT.test(path);
}

/**
 * A hash of the definitions of each folder, as `generated/sources.json` records them. Hooks count by their names only, since their code
 * is not generated from.
 */
export function hashDefinitions(files: Iterable<readonly [path: string, text: string]>): Record<string, string> {
  const folders = new Map<string, string[]>();
  for (const [path, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (IRRELEVANT.test(path)) continue;
    const folder = posix.dirname(path);
    const parts = folders.get(folder) ?? [];
    folders.set(folder, parts);
    parts.push(path, hasContent(path) ? text : "");
  }
  const hashes = [...folders].map(([folder, parts]): [string, string] => {
    const hash = createHash("sha256");
    for (const part of parts) hash.update(part).update("\0");
    return [folder, hash.digest("hex").slice(0, 16)];
  });
  return Object.fromEntries(hashes);
}
