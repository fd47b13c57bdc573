import { startPlane } from "../../runtime/plane.ts";
import { EtcdCluster } from "../tools/etcd-cluster.ts";
import { checkLinearizable } from "./check-linearizable.ts";
import { checkWatches } from "./check-watches.ts";
import { planeApi } from "./plane-api.ts";
import { HistoryRecorder } from "./record-history.ts";

const FAULTS = ["killLeader", "freezeLeader"] as const;

export interface LeaderLosses {
  readonly requests: number;
  /** Requests without a response, or with a response that leaves open whether they took effect. */
  readonly unknown: number;
  readonly watchSteps: number;
  readonly contradictions: readonly string[];
}

export interface LeaderLossOptions {
  readonly rounds: number;
  /** Requests per round, half of which are sent before the leader is lost. */
  readonly requests: number;
  readonly random: () => number;
}

/** Two servers over three etcd members. In each round, the leader is killed or frozen under load. */
export async function loseLeaders({ rounds, requests, random }: LeaderLossOptions): Promise<LeaderLosses> {
  const cluster = await EtcdCluster.start();
  const flags = { "etcd-servers": cluster.endpoints.join(","), controllers: "false" };
  const planes = [await startPlane({ flags, listen: false })];
  const seen = { requests: 0, unknown: 0, watchSteps: 0 };
  const contradictions: string[] = [];
  try {
    planes.push(await startPlane({ flags, listen: false }));
    for (const plane of planes) await plane.ready;
    for (let round = 0; round < rounds && contradictions.length === 0; round++) {
      const recorder = new HistoryRecorder({
        apis: planes.map(planeApi),
        prefix: `lead-${round}-`,
        writers: 6,
        watchers: 4,
        keys: 4,
        random,
      });
      await recorder.start();
      const until = async (count: number): Promise<void> => {
        while (recorder.count < count) await new Promise((resolve) => setTimeout(resolve, 5));
      };
      await until(requests / 2);
      const fault = FAULTS[round % FAULTS.length] ?? "killLeader";
      await cluster[fault]();
      await until(recorder.count + requests / 2);
      const history = await recorder.finish();
      await recorder.cleanUp();
      seen.requests += history.operations.length + history.lists.length;
      seen.unknown += history.operations.filter(({ outcome }) => outcome.result === "unknown").length;
      seen.watchSteps += history.watches.reduce((sum, { steps }) => sum + steps.length, 0);
      const problems = [...checkLinearizable(history), ...checkWatches(history)];
      contradictions.push(...problems.map((problem) => `round ${round}, ${fault}: ${problem}`));
    }
  } finally {
    for (const plane of planes) await plane.stop();
    await cluster.stop();
  }
  return { ...seen, contradictions };
}
