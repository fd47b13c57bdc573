import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface GeneratorFigure {
  readonly name: string;
  readonly milliseconds: number;
}

/** Measures the generator as users run it: in its own process, on a copy of the definitions. */
export function measureGenerator(): GeneratorFigure[] {
  const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
  const copy = mkdtempSync(join(tmpdir(), "typeplane-bench-"));
  try {
    cpSync(join(root, "api-definitions"), join(copy, "api-definitions"), { recursive: true });
    const run = (name: string): GeneratorFigure => {
      const started = performance.now();
      execFileSync(process.execPath, [join(root, "generator/main.ts"), "--root", copy], { stdio: "ignore" });
      return { name, milliseconds: performance.now() - started };
    };
    return [run("generate everything from cold"), run("generate with nothing changed")];
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, milliseconds } of measureGenerator())
    console.log(`${milliseconds.toFixed(0).padStart(8)} ms  ${name}`);
}
