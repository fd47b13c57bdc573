import { readFileSync } from "node:fs";
import { ConfigFileError } from "./load-config-file.ts";

/** What a configuration file holds. Throws a ConfigFileError if it cannot be read. */
export function readConfigText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigFileError(`${file}: ${(error as Error).message}`, { cause: error });
  }
}
