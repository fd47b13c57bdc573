import { systemClock } from "../lib/clock.ts";
import { createLog, type Log } from "../lib/log.ts";
import type { Server } from "../server/create-server.ts";
import type { Begin, OwnerMessage, WorkerMessage } from "../server/workers/messages.ts";
import { suitEngineToRequests, suitEngineToServing } from "./process/suit-engine-to-serving.ts";
import { tendEngine } from "./process/tend-engine.ts";
import { UsageError } from "./usage-error.ts";

/** Serves requests for the owner process until the owner requests a stop or ends. Resolves with the exit status. */
export async function workerCommand(): Promise<number> {
  if (process.send === undefined) throw new UsageError("`typeplane worker` is started by `typeplane serve --workers`");
  const { promise: begun, resolve: onBegin } = Promise.withResolvers<Begin>();
  const { promise: started, resolve: onStarted } = Promise.withResolvers<void>();
  const { promise: told, resolve: onTold } = Promise.withResolvers<void>();
  process.on("message", (message: OwnerMessage) => {
    if (message.kind === "begin") onBegin(message);
    if (message.kind === "started" || (message.kind === "begin" && message.started)) onStarted();
    if (message.kind === "stop") onTold();
  });
  // The owner process has ended.
  process.once("disconnect", () => process.exit(1));
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => onTold());
  // The slowest modules are loaded while the owner opens its store.
  const [{ loadRegistry }, { readSettings }] = await Promise.all([
    import("./load-registry.ts"),
    import("../server/read-settings.ts"),
    import("../server/workers/start-worker.ts"),
    import("./serve.ts"),
  ]);
  const registry = await loadRegistry();
  const begin = await Promise.race([begun, told]);
  if (begin === undefined) return 0;
  let server: Server;
  try {
    server = await open(begin);
  } catch (error) {
    tell({ kind: "failed", message: error instanceof Error ? error.message : String(error) }, () => process.exit(1));
    return 1;
  }
  suitEngineToRequests();
  tell({ kind: "serving" });
  const stopTending = tendEngine(systemClock, () => server.releaseMemory());
  await told;
  stopTending();
  await server.stop();
  process.exit(0);

  async function open(begin: Begin): Promise<Server> {
    const [{ readConfig }, { startWorker, workerConfig, openOwnerChannel }, { ownProcessErrors }] = await Promise.all([
      import("./read-config.ts"),
      import("../server/workers/start-worker.ts"),
      import("./serve.ts"),
    ]);
    suitEngineToServing();
    let isStopping = false;
    void told.then(() => {
      isStopping = true;
    });
    const onGone = (): void => {
      if (!isStopping) process.exit(1);
    };
    const channel = openOwnerChannel(onGone);
    const config = workerConfig(readConfig(new Map(begin.flags)), begin, channel);
    const log = logOf(
      begin.index,
      createLog(process.stderr, () => new Date(), config.logFormat),
    );
    const settings = await readSettings(registry, config, quiet(log));
    const server = await startWorker({ begin, settings, channel, started, onGone, log });
    ownProcessErrors(server.onUnexpected);
    return server;
  }
}

function tell(message: WorkerMessage, then: () => void = () => undefined): void {
  process.send?.(message, undefined, undefined, then);
}

function logOf(worker: number, log: Log): Log {
  return (level, message, fields) => log(level, message, { ...fields, worker });
}

/** Suppresses messages other than errors: the owner has read the same files and logged the messages about them. */
function quiet(log: Log): Log {
  return (level, message, fields) => {
    if (level === "error") log(level, message, fields);
  };
}
