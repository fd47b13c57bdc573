import { resolve } from "node:path";
import { type ClusterIdentity, ensureClusterIdentity } from "../auth/pki/cluster-identity.ts";
import { writeKubeconfig } from "../auth/pki/kubeconfig.ts";
import { servingNames } from "../auth/pki/serving-names.ts";
import { createServer } from "../compose/create-server.ts";
import { openStore } from "../compose/open-store.ts";
import type { Settings } from "../compose/read-settings.ts";
import type { ServerConfig } from "../compose/server-config.ts";
import { boundYoungGeneration } from "../lib/bound-young-generation.ts";
import { sharedDirectoryWarning } from "../lib/claim-directory.ts";
import { systemClock } from "../lib/clock.ts";
import { collectWhenIdle } from "../lib/collect-when-idle.ts";
import { firstAddress } from "../lib/first-address.ts";
import { isUnspecified } from "../lib/host-address.ts";
import type { Log } from "../lib/log.ts";
import { suitEngineToServing } from "../lib/suit-engine-to-serving.ts";
import { explainListening, unusable } from "./start-error.ts";

/** Serves until the process is told to stop. */
export async function serve(settings: Settings, log: Log, out: (text: string) => void): Promise<void> {
  suitEngineToServing();
  const { config } = settings;
  const told = stopSignal();
  const identity = identityOf(config);
  const store = await openStore(config);
  for (const directory of [config.etcd === undefined ? config.dataDir : undefined, config.certDir]) {
    const warning = directory === undefined ? undefined : sharedDirectoryWarning(directory);
    if (warning !== undefined) log("warn", warning);
  }
  const server = await createServer({ settings, store, identity, log }).catch((error: unknown) => {
    throw explainListening(error, config.bindAddress, config.securePort);
  });
  if (config.kubeconfigOut !== undefined) {
    try {
      writeKubeconfig(config.kubeconfigOut, { server: server.url, name: "typeplane", identity });
    } catch (error) {
      await server.stop();
      throw unusable("kubeconfig-out", config.kubeconfigOut, error);
    }
  }
  log("info", `serving on ${server.url}`, { ms: Math.round(performance.now()) });
  if (config.kubeconfigOut !== undefined) {
    out(`\n  export KUBECONFIG=${resolve(config.kubeconfigOut)}\n  kubectl get namespaces\n\n`);
  }
  const stopCollecting = collectWhenIdle(systemClock, () => server.releaseMemory());
  const stopBounding = boundYoungGeneration(systemClock);
  log("info", `${await told}: stopping`);
  stopCollecting();
  stopBounding();
  await server.stop();
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
    throw unusable("cert-dir", config.certDir, error);
  }
}

/** The first signal that asks the process to stop; a second one ends it at once, as is usual. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"]) {
      process.once(signal, () => resolve(signal));
    }
  });
}
