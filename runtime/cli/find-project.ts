import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The file that makes a folder a project. */
const CONFIG_FILE = "typeplane.config.ts";
/** Only a clone of this package has it; its kinds are those of the package itself. */
const VOCABULARY = "api-definitions/vocabulary.ts";

/** The project that a folder is part of: the nearest folder upwards that has a `typeplane.config.ts`; undefined if there is none. */
export function findProject(folder: string = process.cwd()): string | undefined {
  for (let each = resolve(folder); ; each = dirname(each)) {
    if (existsSync(join(each, CONFIG_FILE))) return each;
    if (each === dirname(each)) return undefined;
  }
}

/** Whether a project is a clone of this package, which has the kinds of Kubernetes among its own. */
export function isClone(project: string): boolean {
  return existsSync(join(project, VOCABULARY));
}
