import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Returns a new directory that is removed after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
