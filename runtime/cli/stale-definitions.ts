import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { hashDefinitions, isSource } from "../registry/definition-hashes.ts";
import { findProject, isClone } from "./find-project.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/** Returns the project of a folder, or a clone of this package; undefined if there is neither. A built package contains only type declarations. */
export function definitionsRoot(folder: string = process.cwd(), own: string = PROJECT): string | undefined {
  const found = findProject(folder);
  if (found !== undefined && !isClone(found)) return found;
  return isClone(own) ? own : undefined;
}

/** Number of files read per turn of the event loop. Small files are read fastest sequentially; requests are served in between. */
const AT_ONCE = 50;

/**
 * Returns folders of definitions that have changed since `make generate`, in a checkout. An installed package has nothing to generate. Errors mean
 * that there is nothing to compare.
 */
export async function staleDefinitions(root: string | undefined = definitionsRoot()): Promise<string[]> {
  if (root === undefined || /[\\/]node_modules[\\/]/.test(root)) return [];
  const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8");
  try {
    const recorded = JSON.parse(read("generated/sources.json")) as Record<string, string>;
    const paths = filesBelow(root, "api-definitions").filter((path) => /\.(ts|json)$/.test(path));
    if (existsSync(join(root, "typeplane.config.ts"))) paths.push("typeplane.config.ts");
    const files: [string, string][] = [];
    for (const [index, path] of paths.entries()) {
      files.push([path, isSource(path) ? read(path) : ""]);
      if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
    }
    const found = hashDefinitions(files);
    const folders = new Set([...Object.keys(recorded), ...Object.keys(found)]);
    return [...folders].filter((folder) => recorded[folder] !== found[folder]).sort();
  } catch {
    return [];
  }
}

/**
 * Lists files. Neither this nor the reads use `join`: thousands of calls would make V8 optimize it, and the optimizing compiler takes 5 MiB of memory
 * in a server that is otherwise idle.
 */
function filesBelow(root: string, folder: string): string[] {
  return readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}

/** Formats the folders as one line for the log. */
export function describeStale(folders: readonly string[]): string {
  const shown = folders.slice(0, 3).map((folder) => (folder === "." ? "typeplane.config.ts" : folder));
  const more = folders.length > shown.length ? ` and ${folders.length - shown.length} more` : "";
  return `generated/ is out of date: ${shown.join(", ")}${more} changed; run \`typeplane generate\` and restart`;
}
