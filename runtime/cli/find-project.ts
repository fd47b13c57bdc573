import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The file that marks a folder as a project. */
const CONFIG_FILE = "typeplane.config.ts";
/** A file that exists only in a clone of this package. The kinds of such a project are those of the package itself. */
const VOCABULARY = "api-definitions/vocabulary.ts";

/** Returns the project of a folder: its nearest ancestor, or the folder itself, with a `typeplane.config.ts`; undefined if there is none. */
export function findProject(folder: string = process.cwd()): string | undefined {
  for (let each = resolve(folder); ; each = dirname(each)) {
    if (existsSync(join(each, CONFIG_FILE))) return each;
    if (each === dirname(each)) return undefined;
  }
}

/** Whether a project is a clone of this package, whose own kinds include those of Kubernetes. */
export function isClone(project: string): boolean {
  return existsSync(join(project, VOCABULARY));
}
