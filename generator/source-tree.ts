import { createHash } from "node:crypto";
import { join } from "node:path";
import { mayDecide } from "../runtime/registry/definition-hashes.ts";
import { readTree } from "./read-tree.ts";

/** The text of the definitions and of the project's configuration by path below its root. Fixtures are the same thing, written out in a test. */
export interface SourceTree {
  readonly files: ReadonlyMap<string, string>;
  /**
   * Folders below `api-definitions/` that belong to other packages, whose types the project may use; absent if all files are the
   * project's own, as in this repository. What belongs to other packages is read, and nothing is generated from it.
   */
  readonly foreign?: ReadonlyMap<string, ForeignFolder>;
  /** Packages of definitions that files of the project import. */
  readonly uses?: readonly string[];
}

/** Where a folder of definitions comes from. */
export interface ForeignFolder {
  readonly packageName: string;
  /** What `<domain>` means in its definitions, if it is not the domain of Kubernetes. */
  readonly domain?: string;
}

/** The folder that a definition file belongs to: `core` for `api-definitions/core/v1/pod.ts`; the file itself if it is in none. */
export function folderOf(path: string): string {
  return path.split("/", 2)[1] ?? path;
}

/** Whether a file of the tree belongs to the project itself. */
export function isOwnFile({ foreign }: SourceTree, path: string): boolean {
  return foreign?.has(folderOf(path)) !== true;
}

const DEFINITIONS = "api-definitions";

/** The definition files of a folder, in order of path. */
export function readDefinitionTexts(root: string): [path: string, text: string][] {
  const texts = readTree(join(root, DEFINITIONS), (path) => /\.(ts|json)$/.test(path));
  return texts.map(([path, text]) => [`${DEFINITIONS}/${path}`, text]);
}

/** A fingerprint of everything that decides what is generated. Of most hooks only the name counts. */
export function fingerprint(files: Iterable<readonly [path: string, text: string]>): string {
  const hash = createHash("sha256");
  for (const [path, text] of files) {
    hash.update(path).update("\0");
    if (!path.endsWith(".hooks.ts") || mayDecide(text)) hash.update(text);
    hash.update("\0");
  }
  return hash.digest("hex");
}
