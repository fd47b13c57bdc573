import { existsSync } from "node:fs";
import { join } from "node:path";

/** Commands that messages advise, and what they are in the Makefile of this repository. */
const TARGETS = {
  generate: "make generate",
  "api-diff main": "make api-diff BASE=main",
  "release-snapshot --replace": "make release-snapshot REPLACE=1",
};

/** A command as it is typed in a project: with make in this repository, which alone has the vocabulary, else with the package. */
export function commandIn(root: string, command: keyof typeof TARGETS): string {
  return existsSync(join(root, "api-definitions/vocabulary.ts")) ? TARGETS[command] : `npx typeplane ${command}`;
}
