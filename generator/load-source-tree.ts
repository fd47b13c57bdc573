import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { addForeign } from "./foreign-definitions.ts";
import { readDefinitionTexts, type SourceTree } from "./source-tree.ts";

const CONFIG = "typeplane.config.ts";
/** Exists only in this repository; other projects import the vocabulary from the package. */
const VOCABULARY = "api-definitions/vocabulary.ts";

/** Reads the definitions of a project and of the packages that it uses. */
export async function loadSourceTree(root: string): Promise<SourceTree> {
  const own = readDefinitionTexts(root);
  const config = await readFile(join(root, CONFIG), "utf8").catch(() => undefined);
  const files = new Map(config === undefined ? own : [[CONFIG, config], ...own]);
  if (files.has(VOCABULARY)) return { files };
  return addForeign(root, files);
}
