import type { UserLimits } from "../../http/pipeline/budgets.ts";
import type { ServerConfig } from "../server-config.ts";

/**
 * Returns the configuration of one of several workers, with its share of each limit. The shares add up to the limit, but none is below 1, because 0
 * means unlimited. Settings that are not limits of the whole server are unchanged.
 */
export function divideLimits(config: ServerConfig, index: number): ServerConfig {
  const { workers } = config;
  const part = (limit: number): number => {
    if (limit === 0 || !Number.isFinite(limit)) return limit;
    return Math.max(1, Math.floor(limit / workers) + (index <= limit % workers ? 1 : 0));
  };
  const parts = ({ perUser, total }: UserLimits): UserLimits => ({ perUser: part(perUser), total: part(total) });
  const { budgets, connectionLimits, audit } = config;
  return {
    ...config,
    budgets: {
      fairness: budgets.fairness,
      reads: part(budgets.reads),
      writes: part(budgets.writes),
      longRunning: parts(budgets.longRunning),
      requestBodyBytes: parts(budgets.requestBodyBytes),
      responseBytes: parts(budgets.responseBytes),
      watchBacklogBytes: part(budgets.watchBacklogBytes),
    },
    connectionLimits: {
      ...connectionLimits,
      maxConnections: part(connectionLimits.maxConnections),
      maxHandshakes: part(connectionLimits.maxHandshakes),
    },
    audit: {
      ...audit,
      batches: dividedBatches(audit.batches, part),
      webhook: audit.webhook && { ...audit.webhook, batches: dividedBatches(audit.webhook.batches, part) },
    },
  };
}

type Batches = ServerConfig["audit"]["batches"];

function dividedBatches({ throttle, ...batches }: Batches, part: (limit: number) => number): Batches {
  const divided = throttle && { perSecond: part(throttle.perSecond), burst: part(throttle.burst) };
  const { bufferSize, bufferBytes } = batches;
  return { ...batches, bufferSize: part(bufferSize), bufferBytes: part(bufferBytes), throttle: divided };
}
