import type { ConnectionSource } from "../../http/transport/listen.ts";
import type { MetricsPath } from "../../metrics/health-metrics.ts";

/** What the server of a worker delegates to other processes or receives from them: see docs/workers.md. */
export interface WorkerPart {
  /** Connections that the owner has accepted. */
  readonly connections: ConnectionSource;
  /** Resolves when the owner has created the bootstrap objects. */
  readonly started: Promise<void>;
  /** Resolves once this process has received all writes acknowledged before the call; undefined if it already has. Absent with etcd. */
  readonly catchUp: (() => Promise<void> | undefined) | undefined;
  /** Rejects if the store does not respond. Absent with etcd, where reading the revision is the check. */
  readonly pingStore: (() => Promise<void>) | undefined;
  /** Joins the metrics of all processes. `keepLive` drops the series of objects that no longer exist. */
  readonly joinMetrics: (path: MetricsPath, keepLive: (text: string) => Promise<string>) => Promise<Buffer>;
  /** Resets the metrics that a path shows in all other processes. */
  readonly resetOthers: (path: MetricsPath) => Promise<void>;
}
