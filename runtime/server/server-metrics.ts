import { readFileSync } from "node:fs";
import { versionOf } from "../http/discovery/version.ts";
import type { Budgets } from "../http/pipeline/budgets.ts";
import { AccessMetrics } from "../metrics/access-metrics.ts";
import { BudgetMetrics } from "../metrics/budget-metrics.ts";
import { CacheMetrics } from "../metrics/cache-metrics.ts";
import { certificateMetric, type NamedCertificates, setExpiries } from "../metrics/certificate-metrics.ts";
import { HealthMetrics } from "../metrics/health-metrics.ts";
import { NumberMetric } from "../metrics/metric.ts";
import { addProcessMetrics, addRegistryMetrics, buildMetric, featureMetric } from "../metrics/process-metrics.ts";
import { RequestMetrics, type ServedResources } from "../metrics/request-metrics.ts";
import { ServiceMetrics } from "../metrics/service-metrics.ts";
import { WatchMetrics } from "../metrics/watch-metrics.ts";
import type { RequestAppParts } from "./request-parts.ts";
import type { ServerCore } from "./server-core.ts";

/** All metrics of a server. `metrics` counts requests. */
export interface ServerMetrics {
  readonly metrics: RequestMetrics;
  readonly access: AccessMetrics;
  readonly watchMetrics: WatchMetrics;
  readonly health: HealthMetrics;
}

export function createServerMetrics(
  { core, authentication, aggregation, audit, fairness }: RequestAppParts,
  budgets: Budgets,
): ServerMetrics {
  const { platform, kinds, state, store, writing } = core;
  const { storage, admission, customKinds, controllers } = core.metrics;
  const metrics = new RequestMetrics(servedResources(core), platform.metrics);
  const open = new NumberMetric("gauge", "typeplane_open_connections", "Number of open client connections.");
  for (const metric of [...state.faults.families, open]) metrics.add(metric);
  metrics.onExpose(() => open.set(state.connections()));
  metrics.add(featureMetric(platform.gates));
  metrics.add(buildMetric(versionOf(platform)));
  const certificates = certificateMetric();
  metrics.add(certificates);
  addProcessMetrics(metrics);
  addRegistryMetrics(metrics, platform.metrics);
  const access = new AccessMetrics();
  const watchMetrics = new WatchMetrics({
    kind: (...of) => kinds.surface.findKind(...of) !== undefined,
    resource: (name) => kinds.surface.servesNamed(name),
  });
  const { serviceCounts } = writing;
  const services = serviceCounts && new ServiceMetrics();
  const budgetMetrics = new BudgetMetrics();
  const caches = new CacheMetrics();
  const health = new HealthMetrics();
  const families = [
    storage,
    access,
    watchMetrics,
    budgetMetrics,
    caches,
    aggregation,
    admission,
    customKinds,
    controllers,
    health,
  ];
  for (const family of [...families, ...(services ? [services] : [])].flatMap((some) => some.families))
    metrics.add(family);
  for (const family of [...(audit?.metrics ?? []), ...authentication.metrics]) metrics.add(family);
  for (const family of fairness?.metrics.families ?? []) metrics.add(family);
  for (const family of core.settings.access.metrics.families) metrics.add(family);
  for (const family of core.settings.egress?.families ?? []) metrics.add(family);
  metrics.onExpose(() => setExpiries(certificates, certificatesOf(core)));
  metrics.onExpose(() => fairness?.fairness.collect());
  metrics.onExpose(() => budgets.collect(budgetMetrics));
  metrics.onExpose(() => caches.collect(kinds.cacheMemories));
  if (serviceCounts !== undefined) metrics.onExpose(() => services?.collect(serviceCounts()));
  metrics.onExpose(() => aggregation.collect());
  metrics.onExpose(() => controllers.collect());
  metrics.onExpose(() => storage.collect(kinds.countedKinds(), () => store.diskUse()));
  return { metrics, access, watchMetrics, health };
}

function servedResources({ kinds }: ServerCore): ServedResources {
  return {
    requested({ group, version, resource, subresource }) {
      const descriptor = kinds.surface.find(group, version, resource)?.descriptor;
      return descriptor !== undefined && ["", ...descriptor.subresources.map(({ name }) => name)].includes(subresource);
    },
    named: (name) => kinds.surface.servesNamed(name),
  };
}

/** Returns the contents of a file; empty if it cannot be read. */
function presentText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/**
 * Collects the certificates whose expiration is reported. To be called on demand only: some are created when first read, which a server without
 * metrics requests should avoid.
 */
function certificatesOf({ config, identity, tls }: ServerCore): NamedCertificates {
  const { aggregation, etcd } = config;
  const { serving, clients, frontProxies } = tls;
  return {
    chains: {
      serving: serving.certificatePem,
      // A front-proxy certificate from a flag is left out: its files are read again for each connection.
      ...(aggregation.client === undefined && { "front-proxy-client": identity.frontProxy.client.certificatePem }),
      ...(etcd?.client && { "etcd-client": presentText(etcd.client.files.certificateFile) }),
    },
    authorities: {
      ca: identity.authorityPem,
      "client-ca": clients,
      ...(frontProxies !== undefined && { "requestheader-client-ca": frontProxies }),
      ...(etcd?.authority !== undefined && { "etcd-ca": etcd.authority }),
    },
  };
}
