import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { findTool, skipMessage } from "../tools/tools.ts";

const kubectl = findTool("kubectl");
if (kubectl === undefined) console.warn(`the four uses: ${skipMessage("kubectl")}`);

it.runIf(kubectl !== undefined)(
  "adds a kind, serves it, publishes it to a client generator and rehearses removals",
  async () => {
    const script = join(import.meta.dirname, "four-uses.sh");
    const { stdout } = await promisify(execFile)(script, [kubectl ?? ""]);
    expect(stdout).toContain("All four work.");
  },
  180_000,
);
