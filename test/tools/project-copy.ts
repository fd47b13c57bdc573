import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const PROJECT = join(import.meta.dirname, "../..");
/** Files that a server and the generator need. */
const PARTS = [
  "api-definitions",
  "bin",
  "cli",
  "generated",
  "generator",
  "package",
  "runtime",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "typeplane.config.ts",
];

/** A copy of the project with its own definitions, for a test. */
export class ProjectCopy {
  readonly directory = mkdtempSync(join(tmpdir(), "typeplane-project-"));

  constructor() {
    for (const part of PARTS) cpSync(join(PROJECT, part), join(this.directory, part), { recursive: true });
    // The cache of definition files also applies to the copy.
    const read = ".cache/definitions.bin";
    if (existsSync(join(PROJECT, read))) cpSync(join(PROJECT, read), join(this.directory, read));
    // Links packages individually, so that changes of the folder here do not affect the original.
    const modules = join(this.directory, "node_modules");
    mkdirSync(modules);
    for (const name of readdirSync(join(PROJECT, "node_modules")))
      symlinkSync(join(PROJECT, "node_modules", name), join(modules, name));
  }

  get launcher(): string {
    return join(this.directory, "bin/typeplane.js");
  }

  write(path: string, text: string): void {
    const target = join(this.directory, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  /** Runs the copy's own generator. Throws its output if it fails. */
  generate(...args: readonly string[]): string {
    const command = ["--disable-warning=ExperimentalWarning", join(this.directory, "generator/main.ts"), ...args];
    return execFileSync(process.execPath, command, { cwd: this.directory, encoding: "utf8", stdio: "pipe" });
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
