import type { CommandStreams } from "./command-streams.ts";
import type { Given } from "./flags/section.ts";
import { deprecatedFlags, readConfig } from "./read-config.ts";

/** Starts a server with these flags and serves until the process gets a signal. Resolves with the exit status. `warnings` are logged. */
export async function runServer(
  given: Given,
  { out }: CommandStreams,
  warnings: readonly string[] = [],
): Promise<number> {
  const config = readConfig(given);
  const [{ loadRegistry }, { serve }, { readSettings }, { createLog }] = await Promise.all([
    import("./load-registry.ts"),
    import("./serve.ts"),
    import("../server/read-settings.ts"),
    import("../lib/log.ts"),
  ]);
  const log = createLog(process.stderr, () => new Date());
  for (const sentence of [...deprecatedFlags(given), ...warnings]) log("warn", sentence);
  await serve(await readSettings(await loadRegistry(), config, log), log, out);
  return 0;
}
