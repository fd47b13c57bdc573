import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { RELEASED_API } from "../checks/evolution.ts";
import { commandIn } from "../commands.ts";
import { countOf } from "../count-of.ts";
import { renderDiagnostic } from "../diagnostics.ts";
import type { Generation } from "../generate.ts";
import { loadSourceTree } from "../load-source-tree.ts";
import { type ApiChange, CHANGES, isBreaking } from "./api-change.ts";
import { compareApis } from "./compare-apis.ts";
import { type ApiSnapshot, takeSnapshot, writeSnapshot } from "./snapshot.ts";
import { enumerate } from "./wording.ts";

const DEFINITIONS = ".cache/definitions.bin";

/** Prints how the API that the definitions declare differs from that of a git revision. Resolves with the exit status. */
export async function apiDiff(root: string, base: string | undefined): Promise<number> {
  if (base === undefined) {
    process.stderr.write(`name a git revision to compare with: ${commandIn(root, "api-diff main")}\n`);
    return 2;
  }
  const before = snapshotAt(root, base);
  if (typeof before === "string") {
    process.stderr.write(`${before}\n`);
    return 2;
  }
  // A diff must also show changes that the generator rejects, such as those that break a rule.
  const { snapshot, diagnostics } = await generateAnyway(root);
  if (snapshot === undefined) {
    for (const diagnostic of diagnostics.sorted()) process.stderr.write(`${renderDiagnostic(diagnostic)}\n`);
    return 1;
  }
  process.stdout.write(describeChanges(compareApis(before, snapshot)));
  if (diagnostics.hasErrors)
    process.stderr.write(`the definitions have errors: see \`${commandIn(root, "generate")}\`\n`);
  return 0;
}

/**
 * Records the API that the definitions declare as the released one. Changes that break the rules of the last release are refused
 * unless `replace` is set, for a recorded API that was a mistake. Resolves with the exit status.
 */
export async function releaseSnapshot(root: string, replace: boolean): Promise<number> {
  const { snapshot, diagnostics } = await generateAnyway(root);
  const errors = diagnostics.sorted().filter(({ severity }) => severity === "error");
  const broken = errors.filter(({ code }) => code.startsWith("evolution-"));
  const isSound = broken.length === errors.length;
  if (snapshot === undefined || !isSound || (broken.length > 0 && !replace)) {
    for (const diagnostic of errors) process.stderr.write(`${renderDiagnostic(diagnostic)}\n`);
    const advice = isSound
      ? `; \`${commandIn(root, "release-snapshot --replace")}\` records it all the same, if the recorded API was a mistake`
      : "";
    process.stderr.write(`${RELEASED_API} was not changed${advice}\n`);
    return 1;
  }
  writeFileSync(join(root, RELEASED_API), writeSnapshot(snapshot));
  const replaced =
    broken.length === 0
      ? ""
      : `, ${countOf(broken.length, "change that breaks a rule is", "changes that break a rule are")} now recorded`;
  process.stdout.write(
    `${RELEASED_API}: release ${snapshot.release}, ${countOf(snapshot.kinds.length, "kind")}${replaced}\n`,
  );
  return 0;
}

/** Generates the API even if checks report errors. Uses the cache of definition files. */
async function generateAnyway(root: string): Promise<Generation> {
  const { generate } = await import("../generate.ts");
  const { openDefinitionCache } = await import("../reader/definition-cache.ts");
  const [tree, cache] = await Promise.all([loadSourceTree(root), openDefinitionCache(join(root, DEFINITIONS))]);
  return generate(tree, { snapshotAnyway: true, cache });
}

/** Describes breaking changes first, each with the rule it breaks, then the others. A version that was added or removed as a whole takes one line. */
export function describeChanges(changes: readonly ApiChange[]): string {
  if (changes.length === 0) return "the API is the same\n";
  const told = tellWholeVersions(changes);
  const line = ({ code, where, text }: ApiChange): string => {
    const rule = CHANGES[code];
    return `  ${where} ${text}${rule === undefined ? "" : `\n      breaks the rule: ${rule}`}\n`;
  };
  const section = (title: string, part: readonly ApiChange[]): string =>
    part.length === 0 ? "" : `${title}:\n${part.map(line).join("")}`;
  return (
    section("breaks clients", told.filter(isBreaking)) +
    section(
      "changes",
      told.filter((change) => !isBreaking(change)),
    )
  );
}

function tellWholeVersions(changes: readonly ApiChange[]): ApiChange[] {
  const keyOf = ({ code, withVersion }: ApiChange): string | undefined =>
    withVersion && `${code} ${withVersion.apiVersion}`;
  const together = Map.groupBy(changes, keyOf);
  return changes.flatMap((change) => {
    const key = keyOf(change);
    const group = together.get(key) ?? [];
    if (key === undefined || change.withVersion === undefined) return [change];
    if (change !== group[0]) return [];
    const kinds = enumerate(group.map(({ withVersion }) => withVersion?.kind ?? "").sort());
    const { apiVersion: where } = change.withVersion;
    const same = group.every(({ text }) => text === change.text);
    const [verb = "", life] = change.text.split(": ");
    return [{ ...change, where, text: `${verb}, with ${kinds}${same && life !== undefined ? `: ${life}` : ""}` }];
  });
}

/** Returns the API of a revision, or an error message. */
function snapshotAt(root: string, revision: string): ApiSnapshot | string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
  try {
    git("rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`);
  } catch {
    return `${revision} is not a git revision of this repository`;
  }
  const known = new Set(git("ls-tree", "-r", "--name-only", revision, "--", "generated").split("\n"));
  const files = [...known].filter((file) => file.startsWith("generated/types/"));
  if (files.length === 0) return `${revision} has no generated API to compare with`;
  return takeSnapshot(
    (path) => (known.has(`generated/${path}`) ? git("show", `${revision}:generated/${path}`) : undefined),
    files.map((file) => file.slice("generated/".length)).sort(),
  );
}
