import { existsSync } from "node:fs";
import { join } from "node:path";

/** Commands that messages recommend, with their targets in the Makefile of this repository. */
const TARGETS = {
  generate: "make generate",
  "api-diff main": "make api-diff BASE=main",
  "release-snapshot --replace": "make release-snapshot REPLACE=1",
};

/** Returns the command line for a project: `make` in this repository, recognized by its vocabulary, otherwise the command of the package. */
export function commandIn(root: string, command: keyof typeof TARGETS): string {
  return existsSync(join(root, "api-definitions/vocabulary.ts")) ? TARGETS[command] : `npx typeplane ${command}`;
}
