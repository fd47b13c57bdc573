import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { mayRead } from "../runtime/lib/definition-hashes.ts";

/** The text of the definitions and of the project's configuration by path below its root. Fixtures are the same thing, written out in a test. */
export interface SourceTree {
  readonly files: ReadonlyMap<string, string>;
}

const DEFINITIONS = "api-definitions";
const CONFIG = "typeplane.config.ts";

export async function loadSourceTree(root: string): Promise<SourceTree> {
  const entries = await readdir(join(root, DEFINITIONS), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.(ts|json)$/.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
  const files = new Map<string, string>();
  const config = await readFile(join(root, CONFIG), "utf8").catch(() => undefined);
  if (config !== undefined) files.set(CONFIG, config);
  const texts = await Promise.all(paths.map((path) => readFile(join(root, path), "utf8")));
  for (const [index, path] of paths.entries()) files.set(path, texts[index]!);
  return { files };
}

/** A fingerprint of everything that decides what is generated. Of hooks only the name counts, and which kinds they read. */
export function fingerprint(files: Iterable<readonly [path: string, text: string]>): string {
  const hash = createHash("sha256");
  for (const [path, text] of files) {
    hash.update(path).update("\0");
    if (!path.endsWith(".hooks.ts") || mayRead(text)) hash.update(text);
    hash.update("\0");
  }
  return hash.digest("hex");
}
