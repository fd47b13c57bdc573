import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { PACKING, packedTo } from "../installed-package.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder in which the package of this run is created. */
    readonly packing: string;
  }
}

/**
 * Packs the package once for all test files of a run, in the background, while other tests run. Vitest calls this function before the first
 * of these files, and the returned function after the last.
 */
export function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "typeplane-packed-"));
  project.provide("packing", folder);
  const packed = new Promise<void>((resolve) => {
    execFile(process.execPath, PACKING, (error, _out, err) => {
      if (error === null) {
        copyFileSync(packedTo(), join(folder, "part"));
        renameSync(join(folder, "part"), join(folder, "typeplane.tgz"));
      } else writeFileSync(join(folder, "failed"), `${error.message}\n${err}`);
      resolve();
    });
  });
  return async () => {
    await packed;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Waits for the package of this run. Returns the path of its tarball. */
export async function packedPackage(folder: string): Promise<string> {
  const [tarball, failed] = [join(folder, "typeplane.tgz"), join(folder, "failed")];
  while (!existsSync(tarball)) {
    if (existsSync(failed)) throw new Error(`cannot pack the package: ${readFileSync(failed, "utf8")}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return tarball;
}
