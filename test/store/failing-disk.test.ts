import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const CHILD = join(import.meta.dirname, "failing-disk-child.ts");
const available = existsSync("/proc/self/fdinfo") && existsSync("/dev/full");
if (!available) console.log("tests of a failing disk are skipped: they need /proc and /dev/full");

interface Outcome {
  readonly outcomes: readonly string[];
  /** Results of two writes, of a concurrent list, and of a subsequent write, list and get. */
  readonly failing: readonly string[];
  readonly reads: string;
  readonly after: readonly string[];
  /** Results of a write when the file works again. */
  readonly healed: string;
  readonly lost: readonly string[];
}

/** Returns the observations of a process whose data file failed, and the keys that the next process finds. */
async function runOver(which: "pages" | "commit", device: string): Promise<Outcome & { kept: string[] }> {
  const directory = temporaryDirectory();
  const args = ["--disable-warning=ExperimentalWarning", CHILD, directory, which, device];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const store = await openEmbeddedStore(directory);
  const { entries } = await store.range({ prefix: "/registry/things/" });
  await store.put("/registry/things/next", Buffer.from("next"), { expected: 0 });
  await store.close();
  return { ...(JSON.parse(stdout) as Outcome), kept: entries.map(({ key }) => key.split("/").at(-1) ?? "") };
}

describe.runIf(available)("a data file whose disk fails", () => {
  it("for lack of space refuses writes, is read as before, and takes writes once there is space", async () => {
    const { outcomes, failing, reads, after, healed, lost, kept } = await runOver("pages", "/dev/full");
    expect([outcomes, failing, reads]).toEqual([["ok", "ok"], ["NoSpace", "NoSpace"], "ok"]);
    expect([after, healed, lost]).toEqual([["NoSpace", "ok", "ok"], "ok", []]);
    expect(kept).toEqual(["a", "b", "f"]);
  });

  it.each([
    ["with an error of the device while pages are written", "pages", "/proc/self/mem", /Input\/output error/],
    ["when pages are synced", "pages", "/dev/null", /Invalid argument/],
    ["with an error of the device when the commit is written", "commit", "/proc/self/mem", /Input\/output error/],
    ["for lack of space when the commit is written", "commit", "/dev/full", /No space left on device/],
  ] as const)(
    "%s is given up: no further write is acknowledged, no read shows less, and nothing acknowledged is lost",
    async (_, which, device, reason) => {
      const { outcomes, failing, reads, after, healed, lost, kept } = await runOver(which, device);
      expect(outcomes).toEqual(["ok", "ok"]);
      expect(failing).toEqual(["Lost", "Lost"]);
      expect(["ok", "Lost"]).toContain(reads);
      expect([after, healed]).toEqual([["Lost", "Lost", "Lost"], "Lost"]);
      expect(lost).toHaveLength(1);
      expect(lost[0]).toMatch(/^the data file failed and cannot be used any more: /);
      expect(lost[0]).toMatch(reason);
      expect(kept).toEqual(["a", "b"]);
    },
  );
});
