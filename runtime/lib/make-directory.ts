import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { PRIVATE_DIRECTORY } from "./private-files.ts";

/**
 * Makes a directory that only its owner reads, and those above it. Node's own way never returns where the system makes no
 * directories. Throws what the system says, and `ENOTDIR` for something else of that name.
 */
export function makeDirectory(directory: string): void {
  make(resolve(directory));
}

function make(directory: string): void {
  if (existsSync(directory)) {
    if (!statSync(directory).isDirectory()) throw notADirectory(directory);
    return;
  }
  make(dirname(directory));
  mkdirSync(directory, { mode: PRIVATE_DIRECTORY });
  // A umask may have taken the owner's own rights away, and a parent's setgid bit or ACL may have added some.
  chmodSync(directory, PRIVATE_DIRECTORY);
}

function notADirectory(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: "ENOTDIR", path });
}
