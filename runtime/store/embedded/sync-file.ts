import { closeSync, fsyncSync, openSync } from "node:fs";

/** Returns when all writes to a file, or all names in a directory, are on disk. */
export function syncFile(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
