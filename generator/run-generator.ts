import { mkdir, readFile, writeFile } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandIn } from "./commands.ts";
import { countOf } from "./count-of.ts";
import type { Diagnostics } from "./diagnostics.ts";
import { loadSourceTree } from "./load-source-tree.ts";
import { kindsNotServed } from "./model/not-served.ts";
import { readTree } from "./read-tree.ts";
import { fingerprint, type SourceTree } from "./source-tree.ts";

const OUTPUT = "generated";
const CACHE = ".cache/generator.json";
const DEFINITIONS = ".cache/definitions.bin";
const COMPILED = ".cache/compiled";
/** Milliseconds after which progress is reported. */
const QUIET = 1000;

export interface GeneratorOptions {
  readonly root: string;
  readonly check: boolean;
  readonly force: boolean;
}

/** Fingerprints of all inputs and outputs. If both are unchanged, there is nothing to generate. */
interface Stamp {
  readonly inputs: string;
  readonly outputs: string;
}

/** Caches compiled code in the project: loading the compiler takes longer than reading a file with it. */
export function keepCompiledCode(root: string): void {
  enableCompileCache(join(root, COMPILED));
}

/** Generates the files that changed. With `check`, only reports files that are not up to date. Returns the exit status. */
export async function runGenerator({ root, check, force }: GeneratorOptions): Promise<number> {
  const started = performance.now();
  const tree = await loadSourceTree(root);
  // --check never trusts the cache.
  const trustsCache = !force && !check;
  const inputs = inputsOf(tree);
  const known = trustsCache ? await readStamp(root) : undefined;
  if (known?.inputs === inputs && known.outputs === outputsOf(root)) {
    process.stdout.write(`${OUTPUT}/ is up to date (${seconds(started)})\n`);
    return 0;
  }
  // ts-morph takes the longest to load, so it is loaded only if there is something to read.
  const { generate } = await import("./generate.ts");
  const { openDefinitionCache } = await import("./reader/definition-cache.ts");
  const { compareWithDisk, writeArtifacts } = await import("./writer.ts");
  const cache = await openDefinitionCache(join(root, DEFINITIONS), { empty: !trustsCache });
  const onStep = (step: string): void => {
    if (performance.now() - started > QUIET) process.stderr.write(`${step} … (${seconds(started)})\n`);
  };
  const { model, diagnostics, artifacts, fieldNumbers } = generate(tree, { onStep, cache });
  await report(diagnostics, check);
  await cache.store(join(root, DEFINITIONS));
  if (diagnostics.hasErrors) return 1;

  if (check) {
    const { written, removed } = compareWithDisk(root, OUTPUT, artifacts);
    const stale = [...written, ...removed, ...fieldNumbers.map(({ path }) => path)];
    if (stale.length > 0) {
      const shown = stale.slice(0, 10).map((path) => `  ${path}\n`);
      const advice = `run \`${commandIn(root, "generate")}\``;
      process.stderr.write(`not up to date with the definitions; ${advice}:\n${shown.join("")}`);
      if (stale.length > 10) process.stderr.write(`  … and ${stale.length - 10} more\n`);
      return 1;
    }
    process.stdout.write(`the definitions are valid, and ${OUTPUT}/ is up to date (${seconds(started)})\n`);
  } else {
    for (const { path, text } of fieldNumbers) await writeFile(join(root, path), text);
    const { written, removed } = await writeArtifacts(root, OUTPUT, artifacts);
    const what = `${artifacts.length} files, ${written.length} written, ${removed.length} removed`;
    process.stdout.write(`${OUTPUT}/: ${what} (${seconds(started)})\n`);
    for (const line of kindsNotServed(model)) process.stdout.write(`not served by default: ${line}\n`);
  }
  // The files on disk now equal the artifacts, so they need not be read again.
  const outputs = fingerprint(
    artifacts
      .map(({ path, text }): [string, string] => [path.slice(OUTPUT.length + 1), text])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const isNumbered = fieldNumbers.length > 0;
  await writeStamp(root, { inputs: isNumbered ? inputsOf(await loadSourceTree(root)) : inputs, outputs });
  return 0;
}

async function report(diagnostics: Diagnostics, check: boolean): Promise<void> {
  const { renderDiagnostic } = await import("./diagnostics.ts");
  const found = diagnostics.sorted();
  for (const diagnostic of found) process.stderr.write(`${renderDiagnostic(diagnostic)}\n`);
  const errors = found.filter(({ severity }) => severity === "error").length;
  if (errors > 0) process.stderr.write(`${countOf(errors, "error")}${check ? "" : `; ${OUTPUT}/ was not touched`}\n`);
}

/** Returns a fingerprint of the definitions and of the generator: changes of either may change the output. */
function inputsOf(tree: SourceTree): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return fingerprint([...tree.files, ...readTree(here)]);
}

function outputsOf(root: string): string {
  return fingerprint(readTree(join(root, OUTPUT)));
}

async function readStamp(root: string): Promise<Stamp | undefined> {
  const text = await readFile(join(root, CACHE), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Stamp);
}

async function writeStamp(root: string, stamp: Stamp): Promise<void> {
  await mkdir(dirname(join(root, CACHE)), { recursive: true });
  await writeFile(join(root, CACHE), JSON.stringify(stamp));
}

function seconds(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
