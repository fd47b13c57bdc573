import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Paths of the files below a folder, relative to it, in order; none if the folder does not exist. */
function listTree(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "/").length).replaceAll("\\", "/"))
    .sort();
}

/**
 * The text of every file below a folder, by relative path. Synchronously, because nothing else happens meanwhile, and a thousand small
 * files take a fifth of the time that promises of them take.
 */
export function readTree(folder: string, isWanted = (_path: string): boolean => true): [path: string, text: string][] {
  return listTree(folder)
    .filter(isWanted)
    .map((path) => [path, readFileSync(`${folder}/${path}`, "utf8")]);
}
