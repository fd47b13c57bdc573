import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { hashDefinitions, isSource } from "../registry/definition-hashes.ts";
import { findProject, isClone } from "./find-project.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/** The project in which the command runs; the folder of this package in a clone of it. */
function projectRoot(): string {
  const found = findProject();
  return found === undefined || isClone(found) ? PROJECT : found;
}

/** Small files are read fastest one after another; requests are served in between. */
const AT_ONCE = 50;

/**
 * Folders of definitions that changed since `make generate`, in a checkout. An installed package has nothing to generate. Errors mean
 * that there is nothing to compare.
 */
export async function staleDefinitions(root: string = projectRoot()): Promise<string[]> {
  if (/[\\/]node_modules[\\/]/.test(root)) return [];
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  try {
    const recorded = JSON.parse(read("generated/sources.json")) as Record<string, string>;
    const paths = readdirSync(join(root, "api-definitions"), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(ts|json)$/.test(path))
      .map((path) => `api-definitions/${path.replaceAll("\\", "/")}`);
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

/** One line about them for the log. */
export function describeStale(folders: readonly string[]): string {
  const shown = folders.slice(0, 3).map((folder) => (folder === "." ? "typeplane.config.ts" : folder));
  const more = folders.length > shown.length ? ` and ${folders.length - shown.length} more` : "";
  return `generated/ is out of date: ${shown.join(", ")}${more} changed; run \`typeplane generate\` and restart`;
}
