import { createLog } from "../lib/log.ts";
import type { ServerConfig } from "../server/server-config.ts";
import type { CommandStreams } from "./command-streams.ts";
import type { Given } from "./flags/section.ts";
import { checkDataDirectory } from "./objects-elsewhere.ts";
import { withProjectFlags } from "./project-flags.ts";
import { deprecatedFlags, readConfig } from "./read-config.ts";
import type { ServeOptions } from "./serve.ts";
import { UsageError } from "./usage-error.ts";

export interface RunOptions extends ServeOptions {
  /** Warnings that are logged at the start. */
  readonly warnings?: readonly string[];
  /** Changes settings that have no flag. */
  readonly change?: (config: ServerConfig) => ServerConfig;
  /** Name of the command, if it cannot serve with several processes. */
  readonly oneProcess?: string;
}

/** Starts a server with these flags and serves until the process receives a signal. Resolves with the exit status. */
export async function runServer(
  given: Given,
  { out }: CommandStreams,
  { warnings = [], change = (config) => config, oneProcess, ...options }: RunOptions = {},
): Promise<number> {
  const [{ loadRegistry }, { serve }, { readSettings }] = await Promise.all([
    import("./load-registry.ts"),
    import("./serve.ts"),
    import("../server/read-settings.ts"),
  ]);
  const registry = await loadRegistry();
  const flags = withProjectFlags(given, registry);
  const config = change(readConfig(flags));
  if (oneProcess !== undefined && config.workers > 1)
    throw new UsageError(`${oneProcess} serves with one process: use it without --workers=${config.workers}`);
  const log = createLog(process.stderr, () => new Date(), config.logFormat);
  for (const sentence of [...deprecatedFlags(flags), ...warnings]) log("warn", sentence);
  await checkDataDirectory(config, flags.has("data-dir"), log);
  await serve(await readSettings(registry, config, log), log, out, { ...options, flags });
  return 0;
}
