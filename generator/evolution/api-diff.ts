import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RELEASED_API } from "../checks/evolution.ts";
import { type ApiChange, CHANGES } from "./api-change.ts";
import { compareApis } from "./compare-apis.ts";
import { type ApiSnapshot, takeSnapshot, writeSnapshot } from "./snapshot.ts";

/** Prints how the generated API differs from that of a git revision. Returns the exit status. */
export function apiDiff(root: string, base: string | undefined): number {
  if (base === undefined) {
    process.stderr.write("name a git revision to compare with: make api-diff BASE=main\n");
    return 2;
  }
  let before: ApiSnapshot;
  try {
    before = snapshotAt(root, base);
  } catch (error) {
    process.stderr.write(`${base}: ${error instanceof Error ? error.message.split("\n", 1)[0] : String(error)}\n`);
    return 2;
  }
  process.stdout.write(describeChanges(compareApis(before, snapshotOnDisk(root))));
  return 0;
}

/** Keeps the generated API as the released one, beside the definitions. Returns the exit status. */
export function releaseSnapshot(root: string): number {
  const snapshot = snapshotOnDisk(root);
  writeFileSync(join(root, RELEASED_API), writeSnapshot(snapshot));
  process.stdout.write(`${RELEASED_API}: release ${snapshot.release}, ${snapshot.kinds.length} kinds\n`);
  return 0;
}

/** Breaking changes first, each with the rule it breaks; then the others. */
export function describeChanges(changes: readonly ApiChange[]): string {
  if (changes.length === 0) return "the API is the same\n";
  const line = ({ code, where, text }: ApiChange): string => {
    const rule = CHANGES[code];
    return `  ${where} ${text}${rule === undefined ? "" : `\n      breaks ${rule}`}\n`;
  };
  const isBreaking = ({ code, module = "" }: ApiChange): boolean =>
    CHANGES[code] !== undefined && !/alpha/.test(module);
  const breaking = changes.filter(isBreaking);
  const others = changes.filter((change) => !isBreaking(change));
  const section = (title: string, part: readonly ApiChange[]): string =>
    part.length === 0 ? "" : `${title}:\n${part.map(line).join("")}`;
  return section("breaks clients", breaking) + section("changes", others);
}

function snapshotOnDisk(root: string): ApiSnapshot {
  const files = readdirSync(join(root, "generated/types"))
    .sort()
    .map((name) => `types/${name}`);
  return takeSnapshot((path) => readFileSync(join(root, "generated", path), "utf8"), files);
}

function snapshotAt(root: string, revision: string): ApiSnapshot {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
  const known = new Set(git("ls-tree", "-r", "--name-only", revision, "--", "generated").split("\n"));
  const files = [...known].filter((file) => file.startsWith("generated/types/"));
  return takeSnapshot(
    (path) => (known.has(`generated/${path}`) ? git("show", `${revision}:generated/${path}`) : undefined),
    files.map((file) => file.slice("generated/".length)).sort(),
  );
}
