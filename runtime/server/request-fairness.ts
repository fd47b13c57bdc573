import type { RequestQuery } from "../contract/request-info.ts";
import { debugPage } from "../fairness/debug-tables.ts";
import { Fairness } from "../fairness/fairness.ts";
import { followConfiguration } from "../fairness/follow-configuration.ts";
import { systemClock } from "../lib/clock.ts";
import { FlowMetrics } from "../metrics/flow-metrics.ts";
import type { ServerCore } from "./server-core.ts";

/** Fairness of requests, with what it is configured by and what it shows. */
export interface RequestFairness {
  readonly fairness: Fairness;
  readonly metrics: FlowMetrics;
  /** Loads and follows its configuration; the returned function stops it. */
  follow(): Promise<() => void>;
  /** A debug page; undefined for paths that name none. */
  debugPage(path: string, query: RequestQuery): string | undefined;
}

/** Undefined if it is off: by its flag, without limits of requests in flight, or where its kinds are not served. */
export function fairnessFor({ config, platform, kinds, sparseFeed }: ServerCore): RequestFairness | undefined {
  const { fairness: isEnabled, reads, writes } = config.budgets;
  const { naming, gates } = platform;
  const isServed = kinds.surface.storesKind(naming.group("flowcontrol.apiserver"), "flowschemas");
  if (!isEnabled || !isServed || reads + writes === 0) return undefined;
  const monotonic = (): number => performance.now();
  const metrics = new FlowMetrics(monotonic);
  const fairness = new Fairness({
    seats: reads + writes,
    clock: systemClock,
    monotonic,
    nextTurn: setImmediate,
    metrics,
    facts: {
      objectCount: ({ group, version, resource }) => {
        const entry = kinds.surface.find(group, version, resource);
        if (entry?.loaded === undefined || entry.descriptor.virtual) return undefined;
        const { cache, prefix } = entry.loaded.stored;
        return cache.count(prefix);
      },
      streamsLists: gates.enabled("WatchList"),
    },
  });
  return {
    fairness,
    metrics,
    async follow() {
      const unfollow = await followConfiguration(fairness, sparseFeed, naming);
      const stop = fairness.run();
      return () => {
        stop();
        unfollow();
      };
    },
    debugPage: (path, query) =>
      debugPage(path, query, {
        levels: fairness.levels,
        dateOf: (moment) => new Date(systemClock.now() - (monotonic() - moment)),
      }),
  };
}
