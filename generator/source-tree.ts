import { createHash } from "node:crypto";
import { join } from "node:path";
import { mayDecide } from "../runtime/registry/definition-hashes.ts";
import { readTree } from "./read-tree.ts";

/** Content of the definition files and of the project's configuration, by path below the root. Tests write it as literals. */
export interface SourceTree {
  readonly files: ReadonlyMap<string, string>;
  /**
   * Folders below `api-definitions/` that belong to other packages, whose types the project may use. They are read, but nothing is generated
   * from them. Absent if all files are the project's own, as in this repository.
   */
  readonly foreign?: ReadonlyMap<string, ForeignFolder>;
  /** Packages of definitions that files of the project import. */
  readonly uses?: readonly string[];
}

/** Origin of a folder of definitions. */
export interface ForeignFolder {
  readonly packageName: string;
  /** Value of `<domain>` in its definitions, if it is not the domain of Kubernetes. */
  readonly domain?: string;
}

/** Returns the folder of a definition file: `core` for `api-definitions/core/v1/pod.ts`; the file itself if it is in no folder. */
export function folderOf(path: string): string {
  return path.split("/", 2)[1] ?? path;
}

/** Whether a file of the tree belongs to the project itself. */
export function isOwnFile({ foreign }: SourceTree, path: string): boolean {
  return foreign?.has(folderOf(path)) !== true;
}

const DEFINITIONS = "api-definitions";

/** Returns the definition files of a project, sorted by path. */
export function readDefinitionTexts(root: string): [path: string, text: string][] {
  const texts = readTree(join(root, DEFINITIONS), (path) => /\.(ts|json)$/.test(path));
  return texts.map(([path, text]) => [`${DEFINITIONS}/${path}`, text]);
}

/** Returns a fingerprint of everything that determines the generated files. Of most hooks, only the name matters. */
export function fingerprint(files: Iterable<readonly [path: string, text: string]>): string {
  const hash = createHash("sha256");
  for (const [path, text] of files) {
    hash.update(path).update("\0");
    if (!path.endsWith(".hooks.ts") || mayDecide(text)) hash.update(text);
    hash.update("\0");
  }
  return hash.digest("hex");
}
