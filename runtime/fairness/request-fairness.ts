import type { Naming } from "../contract/naming.ts";
import type { ObjectFeed } from "../contract/object-access.ts";
import type { RequestQuery } from "../contract/request-info.ts";
import { systemClock } from "../lib/clock.ts";
import { FlowMetrics } from "../metrics/flow-metrics.ts";
import { debugPage } from "./debug-tables.ts";
import { Fairness, type FairnessParts } from "./fairness.ts";
import { followConfiguration } from "./follow-configuration.ts";

/** Fairness of requests, with what it is configured by and what it shows. */
export interface RequestFairness {
  readonly fairness: Fairness;
  readonly metrics: FlowMetrics;
  /** Loads and follows its configuration; the returned function stops it. */
  follow(): Promise<() => void>;
  /** A debug page; undefined for paths that name none. */
  debugPage(path: string, query: RequestQuery): string | undefined;
}

export interface RequestFairnessParts extends Pick<FairnessParts, "seats" | "facts"> {
  readonly naming: Naming;
  /** Tells of FlowSchemas and priority levels. */
  readonly feed: ObjectFeed;
}

/** In real time, whatever the clock of the server shows. */
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
