import { readFileSync } from "node:fs";
import { UsageError } from "./parse-flags.ts";

/** Contents of the file that a flag names. Throws a UsageError if it cannot be read. */
export function readFlagFile(flag: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`--${flag}=${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
