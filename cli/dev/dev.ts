import { GenerationSession, type SessionRun } from "../../generator/generation-session.ts";
import type { CommandStreams } from "../../runtime/cli/command-streams.ts";
import { isClone } from "../../runtime/cli/find-project.ts";
import { parseFlags } from "../../runtime/cli/read-config.ts";
import type { Server } from "../../runtime/server/create-server.ts";
import { changeOf } from "./changed-types.ts";
import { loadByGeneration } from "./fresh-modules.ts";
import { DevReport } from "./report.ts";
import { watchSources } from "./watch-sources.ts";

const CONFIG_FILE = "typeplane.config.ts";

/** Runs until it receives a signal. */
export async function runDev(args: readonly string[], streams: CommandStreams, root: string): Promise<number> {
  const given = parseFlags(args);
  const report = new DevReport(streams.out);
  const session = await GenerationSession.open(root);
  const reloads = loadByGeneration(root, isClone(root) ? ["api-definitions/", "generated/"] : [""]);
  const first = await session.start();
  report.show(first);
  const mended = Promise.withResolvers<void>();
  if (first.errors === 0) mended.resolve();
  let server: Server | undefined;
  let generation = 0;

  const serve = async (run: SessionRun, began: number): Promise<void> => {
    if (run.errors > 0) return;
    mended.resolve();
    if (server === undefined) return;
    if (run.sources.has(CONFIG_FILE))
      report.say(`restart typeplane dev for changes of base, release and flags in ${CONFIG_FILE}`);
    const { loadRegistry } = await import("../../runtime/cli/load-registry.ts");
    generation += 1;
    const registry = await loadRegistry(root, reloads ? generation : undefined);
    report.served(await server.redefine(registry, changeOf(run.artifacts, run.sources)), performance.now() - began);
  };
  const stop = watchSources(root, async (paths) => {
    const began = performance.now();
    try {
      const run = await session.update(paths);
      if (run === undefined) return;
      report.show(run);
      await serve(run, began);
    } catch (error) {
      report.failed(error);
    }
  });
  try {
    await mended.promise;
    // Loaded here because it imports files that have just been generated.
    const { runServer } = await import("../../runtime/cli/run-server.ts");
    return await runServer(given, streams, {
      oneProcess: "typeplane dev",
      async onServing(running) {
        server = running;
        report.started();
      },
    });
  } finally {
    stop();
  }
}
