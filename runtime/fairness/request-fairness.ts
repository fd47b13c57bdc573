import { setImmediate } from "node:timers";
import type { Naming } from "../contract/naming.ts";
import type { ObjectFeed } from "../contract/object-access.ts";
import type { RequestQuery } from "../contract/request-info.ts";
import { systemClock } from "../lib/clock.ts";
import { FlowMetrics } from "../metrics/flow-metrics.ts";
import { debugPage } from "./debug-tables.ts";
import { Fairness, type FairnessParts } from "./fairness.ts";
import { followConfiguration } from "./follow-configuration.ts";

/** Fairness of requests with its configuration, metrics and debug pages. */
export interface RequestFairness {
  readonly fairness: Fairness;
  readonly metrics: FlowMetrics;
  /** Loads and watches the configuration, until the returned function is called. */
  follow(): Promise<() => void>;
  /** Returns a debug page; undefined for other paths. */
  debugPage(path: string, query: RequestQuery): string | undefined;
}

export interface RequestFairnessParts extends Pick<FairnessParts, "seats" | "facts"> {
  readonly naming: Naming;
  /** Feed of FlowSchemas and priority levels. */
  readonly feed: ObjectFeed;
}

/** Runs in real time, even if the server has a simulated clock. */
export function createRequestFairness({ seats, facts, naming, feed }: RequestFairnessParts): RequestFairness {
  const monotonic = (): number => performance.now();
  const metrics = new FlowMetrics(monotonic);
  const fairness = new Fairness({ seats, facts, clock: systemClock, monotonic, nextTurn: setImmediate, metrics });
  return {
    fairness,
    metrics,
    async follow() {
      const unfollow = await followConfiguration(fairness, feed, naming);
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
