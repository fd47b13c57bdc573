import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const PROJECT = join(import.meta.dirname, "../..");
/** What a server and the generator are made of. */
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

/** A copy of the project with definitions of its own, which is thrown away. */
export class ProjectCopy {
  readonly directory = mkdtempSync(join(tmpdir(), "typeplane-project-"));

  constructor() {
    for (const part of PARTS) cpSync(join(PROJECT, part), join(this.directory, part), { recursive: true });
    // What was read of the definitions before is the same here.
    const read = ".cache/definitions.bin";
    if (existsSync(join(PROJECT, read))) cpSync(join(PROJECT, read), join(this.directory, read));
    // Links one by one: whatever happens to the folder here must not happen to the original.
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

  /** Runs the copy's own generator; throws what it prints if it fails. */
  generate(...args: readonly string[]): string {
    const command = ["--disable-warning=ExperimentalWarning", join(this.directory, "generator/main.ts"), ...args];
    return execFileSync(process.execPath, command, { cwd: this.directory, encoding: "utf8", stdio: "pipe" });
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
