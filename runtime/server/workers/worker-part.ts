import type { ConnectionSource } from "../../http/transport/listen.ts";
import type { MetricsPath } from "../../metrics/health-metrics.ts";

/** What the server of a worker leaves to others, or learns from them: see docs/workers.md. */
export interface WorkerPart {
  /** Connections that the owner accepts. */
  readonly connections: ConnectionSource;
  /** Resolves when the objects that every cluster starts with exist: the owner creates them. */
  readonly started: Promise<void>;
  /** Resolves once this process has received everything acknowledged before the call, undefined if it has; absent over etcd. */
  readonly catchUp: (() => Promise<void> | undefined) | undefined;
  /** Rejects if the store does not respond; absent over etcd, where reading the revision shows it. */
  readonly pingStore: (() => Promise<void>) | undefined;
  /** Metrics of all processes together. `keepLive` drops the series of objects that do not exist any more. */
  readonly joinMetrics: (path: MetricsPath, keepLive: (text: string) => Promise<string>) => Promise<Buffer>;
}
