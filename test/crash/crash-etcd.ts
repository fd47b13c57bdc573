import { EtcdStore } from "../../runtime/store/etcd/etcd-store.ts";
import { EtcdProcess } from "../tools/etcd-process.ts";
import { HistoryCheck } from "./check-history.ts";
import type { CrashSummary } from "./crash-embedded.ts";
import { type Observation, Workload } from "./workload.ts";

const PREFIX = "/registry/crash/";

/** Kills a real etcd under load repeatedly. The same store and the same watcher are used during the whole run. */
export async function crashEtcd(rounds: number, random: () => number = Math.random): Promise<CrashSummary> {
  const etcd = await EtcdProcess.start();
  const store = await EtcdStore.connect({ endpoints: [etcd.endpoint], callTimeoutMs: 2000 });
  const observations: Observation[] = [];
  const start = await store.currentRevision();
  const workload = new Workload(store, {
    prefix: PREFIX,
    writers: 8,
    watchFrom: start + 1,
    report: (observation) => observations.push(observation),
  });
  try {
    workload.start();
    for (let round = 0; round < rounds; round++) {
      await pause(100 + random() * 300);
      await etcd.kill();
      await pause(random() * 100);
      await etcd.restart();
    }
    await pause(300);
    await workload.stop();
    await caughtUp(store, observations);
    const found = await new HistoryCheck(PREFIX, start).check(store, observations);
    const seen = observations.filter(({ by }) => by === "seen").length;
    return { rounds, acked: observations.length - seen, seen, contradictions: found };
  } finally {
    await store.close();
    await etcd.stop();
  }
}

/** Waits until the watcher has seen the last acknowledged write. */
async function caughtUp(store: EtcdStore, observations: readonly Observation[]): Promise<void> {
  const { entries } = await store.range({ prefix: PREFIX });
  const last = Math.max(...entries.map((entry) => entry.modRevision));
  while (!observations.some(({ by, revision }) => by === "seen" && revision >= last)) await pause(20);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
