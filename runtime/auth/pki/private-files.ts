import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** Contents of a file, undefined if there is none. */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes a file that only its owner may read; a reader sees the old or the new contents, never half of them. */
export function writePrivately(path: string, contents: string): void {
  const temporary = `${path}.${process.pid}.new`;
  writeFileSync(temporary, contents, { mode: 0o600 });
  renameSync(temporary, path);
}
