import { ensureSigningKey } from "../../auth/pki/signing-key.ts";
import { keysWith } from "../../auth/pki/signing-keys.ts";
import { EmbeddedStore } from "../../store/embedded/embedded-store.ts";
import { StoreLostError } from "../../store/errors.ts";
import { SharedRevision } from "../../store/remote/shared-revision.ts";
import { StoreService } from "../../store/remote/store-service.ts";
import type { Server, ServerParts } from "../create-server.ts";
import type { Settings } from "../read-settings.ts";
import { type CommonBegin, WorkerPool } from "./worker-pool.ts";

export interface WorkersOptions extends Pick<ServerParts, "settings" | "store" | "identity" | "log"> {
  readonly flags: ReadonlyMap<string, readonly string[]>;
  /** Called when the store can no longer be shared with the workers. */
  readonly onLost: (error: StoreLostError) => void;
}

/** The workers of a server, and the settings in which the owner's server differs from one that serves requests itself. */
export interface Workers {
  readonly pool: WorkerPool;
  readonly parts: Pick<ServerParts, "settings" | "signingKeys" | "openListener">;
  /** Connects the owner's server with the workers: its metrics, and its readiness. */
  lead(server: Pick<Server, "metrics" | "resetMetrics" | "ready">): void;
}

const NO_LIMIT = { perUser: 0, total: 0 };
const NO_LIMITS: Settings["config"]["budgets"] = {
  ...{ fairness: false, reads: 0, writes: 0, watchBacklogBytes: 0 },
  ...{ longRunning: NO_LIMIT, requestBodyBytes: NO_LIMIT, responseBytes: NO_LIMIT },
};

/** Starts the processes that serve requests. They wait until the owner's server lets them listen. */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { settings, store, identity, flags, onLost, log } = options;
  const { config } = settings;
  const owned = store instanceof EmbeddedStore ? store : undefined;
  const shared = owned && SharedRevision.create(config.dataDir === undefined ? [] : [config.dataDir]);
  const service =
    owned &&
    shared &&
    new StoreService(owned, {
      shared,
      onFailure(error) {
        pool.kill();
        onLost(new StoreLostError("the revision that workers share cannot be written", { cause: error }));
      },
    });
  const audit = await openAuditLog(settings, log);
  const pool: WorkerPool = new WorkerPool({
    count: config.workers,
    host: config.bindAddress,
    port: config.securePort,
    reusePort: config.permitPortSharing,
    shutdownDelayMs: config.shutdownDelayMs,
    service,
    revisionFd: shared?.fd,
    audit,
    log,
  });
  const signing = config.serviceAccounts.signingKey === undefined ? ensureSigningKey(config.certDir) : undefined;
  const begin = async (): Promise<CommonBegin> => {
    const key = await signing;
    return {
      flags: [...flags],
      tokenAuthFile: config.tokenAuthFile ?? null,
      identity,
      signingKey: key === undefined ? null : (key.export({ type: "pkcs8", format: "pem" }) as string),
      storeIdentity: owned === undefined ? null : Buffer.from(owned.identity).toString("base64"),
    };
  };
  return {
    pool,
    lead({ metrics, resetMetrics, ready }) {
      pool.ownMetrics = metrics;
      pool.resetOwnMetrics = resetMetrics;
      ready.then(
        () => pool.started(),
        () => undefined,
      );
    },
    parts: {
      // The owner serves no requests that it could audit or limit.
      settings: { ...settings, config: { ...config, budgets: NO_LIMITS }, openAudit: undefined },
      ...(signing !== undefined && { signingKeys: keysWith(signing) }),
      openListener: async () => pool.listen(await begin()),
    },
  };
}

async function openAuditLog(
  { config, openAudit }: Settings,
  log: WorkersOptions["log"],
): Promise<ConstructorParameters<typeof WorkerPool>[0]["audit"]> {
  const { logPath = "" } = config.audit;
  if (openAudit === undefined || logPath === "") return undefined;
  const { openDestination } = await import("../../audit/open-audit.ts");
  return openDestination(logPath, config.audit, log);
}
