import { channel } from "node:diagnostics_channel";
import { isIPv6 } from "node:net";
import { resolve } from "node:path";
import { setTimeout } from "node:timers";
import { setTimeout as delay } from "node:timers/promises";
import { type ClusterIdentity, ensureClusterIdentity } from "../auth/pki/cluster-identity.ts";
import { writeKubeconfig } from "../auth/pki/kubeconfig.ts";
import { servingNames } from "../auth/pki/serving-names.ts";
import { systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { sharedDirectoryWarning } from "../lib/private-files.ts";
import type { OnUnexpected } from "../lib/unexpected-errors.ts";
import { createServer, type Server } from "../server/create-server.ts";
import type { Settings } from "../server/read-settings.ts";
import type { ServerConfig } from "../server/server-config.ts";
import type { Workers, WorkersOptions } from "../server/workers/start-workers.ts";
import { StoreLostError } from "../store/errors.ts";
import { openStore } from "../store/open-store.ts";
import type { Given } from "./flags/section.ts";
import { firstAddress, isUnspecified } from "./host-address.ts";
import { refuseUnfinishedMove } from "./objects-elsewhere.ts";
import { withInitialFlags } from "./process/engine-flags.ts";
import { suitEngineToRequests, suitEngineToServing } from "./process/suit-engine-to-serving.ts";
import { tendEngine } from "./process/tend-engine.ts";
import { describeStale, staleDefinitions } from "./stale-definitions.ts";
import { explainListening, unusable } from "./start-error.ts";

export type OpenStore = typeof openStore;

/** Settings of a command in addition to those of the server. */
export interface ServeOptions {
  /** Opens a store other than that of the configuration. */
  readonly openStore?: OpenStore;
  /** Called once the server listens. */
  readonly onServing?: (server: Server, identity: ClusterIdentity) => Promise<void>;
  /** Stops the server when it resolves, with a reason for the log. */
  readonly ended?: Promise<string>;
  /** The flags, which workers parse again. */
  readonly flags?: Given;
}

/**
 * Serves until the process receives a signal. Unexpected errors are logged and counted, and the server continues. Throws when the store is lost,
 * after closing everything that can still be closed.
 */
export async function serve(
  settings: Settings,
  log: Log,
  out: (text: string) => void,
  { onServing, ended, flags, openStore: open = openStore }: ServeOptions = {},
): Promise<void> {
  suitEngineToServing();
  const { config } = settings;
  const told = stopSignal();
  const { promise: lost, resolve: onLost } = Promise.withResolvers<StoreLostError>();
  const identity = identityOf(config);
  const store = await open(config, onLost, { tunnel: settings.egress?.etcd, log });
  await refuseUnfinishedMove(config, store).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  warnOfSharedDirectories(config, log);
  const own = { settings, store, identity, log };
  const workers = config.workers > 1 ? await workersOf(own, flags, onLost) : undefined;
  const server = await createServer({ ...own, ...workers?.parts }).catch((error: unknown) => {
    workers?.pool.kill();
    throw explainListening(error, config.bindAddress, config.securePort);
  });
  workers?.lead(server);
  await writeKubeconfigOf(server, config, identity);
  const disownErrors = ownProcessErrors(server.onUnexpected);
  log("info", `serving on ${[server.url, ...elsewhere(config, server.url)].join(" and ")}`, {
    ms: Math.round(performance.now()),
  });
  whenReady(server, log).catch(() => undefined);
  if (onServing !== undefined) {
    await onServing(server, identity).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
  } else if (config.kubeconfigOut !== undefined) {
    out(`\n  export KUBECONFIG=${resolve(config.kubeconfigOut)}\n  kubectl get namespaces\n\n`);
  }
  const stopTending = tendEngine(systemClock, () => server.releaseMemory());
  const reason = await Promise.race([told, lost, ...(ended === undefined ? [] : [ended])]);
  if (reason instanceof StoreLostError) {
    log("error", `the store failed for good, stopping: ${reason.message}`);
    // Without the store, stopping may hang.
    setTimeout(() => process.exit(1), STOP_WITHOUT_STORE_MS).unref();
  } else {
    log("info", `${reason}: stopping`);
  }
  stopTending();
  workers?.pool.stop();
  await server.stop();
  disownErrors();
  if (reason instanceof StoreLostError) throw reason;
}

function warnOfSharedDirectories({ etcd, dataDir, certDir }: ServerConfig, log: Log): void {
  for (const directory of [etcd === undefined ? dataDir : undefined, certDir]) {
    const warning = directory === undefined ? undefined : sharedDirectoryWarning(directory);
    if (warning !== undefined) log("warn", warning);
  }
}

/** Writes the kubeconfig. Stops the server if that fails. */
async function writeKubeconfigOf(
  server: Server,
  { kubeconfigOut: file }: ServerConfig,
  identity: ClusterIdentity,
): Promise<void> {
  if (file === undefined) return;
  try {
    writeKubeconfig(file, { server: server.url, name: "typeplane", identity });
  } catch (error) {
    await server.stop();
    throw unusable("kubeconfig-out", file, error);
  }
}

/** Does work that is postponed until the server is ready, because the start and the first requests are more important. */
async function whenReady(server: Server, log: Log): Promise<void> {
  await server.ready;
  suitEngineToRequests();
  // The package caches the code that was compiled until now: see `package/cached-script.js`.
  channel("typeplane.ready").publish({ withInitialFlags });
  await delay(COMPARE_DEFINITIONS_AFTER_MS, undefined, { ref: false });
  const folders = await staleDefinitions();
  if (folders.length > 0) log("warn", describeStale(folders));
}

/** Returns the URL for other machines if the server listens on all interfaces. */
function elsewhere({ bindAddress, advertiseAddress }: ServerConfig, url: string): string[] {
  if (!isUnspecified(bindAddress) || advertiseAddress === undefined) return [];
  const host = isIPv6(advertiseAddress) ? `[${advertiseAddress}]` : advertiseAddress;
  return [`https://${host}${url.slice(url.lastIndexOf(":"))}`];
}

const STOP_WITHOUT_STORE_MS = 10_000;
const COMPARE_DEFINITIONS_AFTER_MS = 1_000;

/** The module is loaded only if workers are configured. */
async function workersOf(
  parts: Pick<WorkersOptions, "settings" | "store" | "identity" | "log">,
  flags: Given = new Map(),
  onLost: (error: StoreLostError) => void,
): Promise<Workers> {
  const { startWorkers } = await import("../server/workers/start-workers.ts");
  return startWorkers({ ...parts, flags, onLost });
}

/** Handles errors that reach the process. Returns a function that restores the handling of Node.js. */
export function ownProcessErrors(onUnexpected: OnUnexpected): () => void {
  const onException = (error: unknown): void => onUnexpected("exception", error);
  const onRejection = (error: unknown): void => onUnexpected("promise", error);
  // The reader of the log or of standard output may have closed the pipe.
  const ignore = (): void => undefined;
  process.on("uncaughtException", onException);
  process.on("unhandledRejection", onRejection);
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignore);
  return () => {
    process.off("uncaughtException", onException);
    process.off("unhandledRejection", onRejection);
    for (const stream of [process.stdout, process.stderr]) stream.off("error", ignore);
  };
}

function identityOf(config: ServerConfig): ClusterIdentity {
  const options = {
    directory: config.certDir,
    names: servingNames({
      vendor: "kubernetes",
      serviceAddresses: config.serviceClusterIpRange.split(",").map(firstAddress),
      extra: [config.bindAddress, config.advertiseAddress, config.externalHostname].flatMap((name) =>
        name === undefined || isUnspecified(name) ? [] : [name],
      ),
    }),
    vendor: "kubernetes",
    now: () => new Date(),
  };
  try {
    return ensureClusterIdentity(options);
  } catch (error) {
    throw unusable("cert-dir", config.certDir ?? "memory", error);
  }
}

/** Resolves with the first SIGTERM or SIGINT. A second one terminates the process immediately. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"]) {
      process.once(signal, () => resolve(signal));
    }
  });
}
