import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = new URL("../..", import.meta.url).pathname;

/** Runs `typeplane` in its own process. */
export function runCommand(args: readonly string[], input = ""): { status: number; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", join(root, "cli/main.ts"), ...args],
    { input, encoding: "utf8" },
  );
  return { status: status ?? -1, out: stdout, err: stderr };
}
