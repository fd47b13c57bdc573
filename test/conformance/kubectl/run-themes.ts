import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { Kubectl } from "../../tools/kubectl.ts";
import { ServerProcess } from "../../tools/server-process.ts";
import { findTool, skipMessage, type Tool } from "../../tools/tools.ts";

/** A group of kubectl tests. Each theme uses its own namespace, so that all can share one server. */
export type Theme = (kubectl: Kubectl) => void;

export interface ThemeRun {
  readonly title: string;
  readonly themes: readonly Theme[];
  /** Programs that the run requires. Without them it is skipped with a message. */
  readonly needs: readonly Tool[];
  /** Starts programs that the server needs, and returns the flags that refer to them. */
  readonly prepare?: () => Promise<{ readonly flags: readonly string[]; readonly stop: () => Promise<void> }>;
}

/** Runs themes one after another on a newly started server process. */
export function runThemes({ title, themes, needs, prepare }: ThemeRun): void {
  const missing = needs.find((tool) => findTool(tool) === undefined);
  if (missing !== undefined) console.warn(`${title}: ${skipMessage(missing)}`);
  describe.runIf(missing === undefined)(title, () => {
    const directory = mkdtempSync(join(tmpdir(), "typeplane-kubectl-"));
    const kubeconfig = join(directory, "kubeconfig");
    beforeAll(async () => {
      const prepared = await prepare?.();
      const server = await ServerProcess.started({ directory, flags: prepared?.flags ?? [] });
      return async () => {
        await server.stop();
        await prepared?.stop();
      };
    });
    afterAll(() => rmSync(directory, { recursive: true, force: true }));
    for (const theme of themes) theme(new Kubectl({ binary: findTool("kubectl") ?? "", kubeconfig, home: directory }));
  });
}
