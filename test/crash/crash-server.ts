import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { backUp } from "../../runtime/store/backup/back-up.ts";
import { restore } from "../../runtime/store/backup/restore.ts";
import { DataFileView } from "../../runtime/store/embedded/data-file-view.ts";
import { AdminClient } from "../tools/admin-client.ts";
import { Balancer } from "../tools/balancer.ts";
import { EtcdProcess } from "../tools/etcd-process.ts";
import { ServerProcess } from "../tools/server-process.ts";
import type { CrashSummary } from "./crash-embedded.ts";
import { disturbUnderLoad } from "./disturb-under-load.ts";

/** Kills a server over an embedded store repeatedly. At the end, its change log applied to the initial backup must result in the same state. */
export async function crashServer(directory: string, rounds: number): Promise<CrashSummary> {
  const [data, changes, backup] = ["data", "changes", "backup"].map((name) => join(directory, name)) as Places;
  const server = await ServerProcess.started({ directory, flags: [`--change-log-dir=${changes}`] });
  await backUp(data, backup);
  const disturb = async (): Promise<void> => {
    await server.kill();
    await server.start();
  };
  try {
    const summary = await disturbUnderLoad({ client: server.client, disturb: [disturb], rounds });
    await server.stop();
    const restored = join(directory, "restored");
    await restore(backup, restored, { changeLog: changes });
    const differences = differencesOf(await contentsOf(data), await contentsOf(restored));
    return { ...summary, contradictions: [...summary.contradictions, ...differences] };
  } finally {
    await server.kill();
  }
}

type Places = [data: string, changes: string, backup: string];

/** Returns revisions and values by key. */
async function contentsOf(directory: string): Promise<ReadonlyMap<string, string>> {
  const view = await DataFileView.open(directory);
  try {
    const heads = new Map([...view.heads()].map(({ key, modRevision }) => [modRevision, key]));
    const values = [...view.records()].flatMap(({ revision, value }) => {
      const key = heads.get(revision);
      return key === undefined ? [] : [[key, `${revision} ${Buffer.from(value).toString("base64")}`] as const];
    });
    return new Map(values);
  } finally {
    await view.close();
  }
}

function differencesOf(present: ReadonlyMap<string, string>, restored: ReadonlyMap<string, string>): string[] {
  const keys = new Set([...present.keys(), ...restored.keys()]);
  return [...keys]
    .filter((key) => present.get(key) !== restored.get(key))
    .map((key) => `${key} is another one when it is restored from the backup and the change log`);
}

/** Kills individual workers of a server over an embedded store, and in every fourth round the process that owns the store. */
export async function crashWorkers(directory: string, rounds: number): Promise<CrashSummary> {
  const server = await ServerProcess.started({ directory, flags: ["--workers=2"] });
  let round = 0;
  const disturb = async (): Promise<void> => {
    if (round++ % 4 === 3) {
      await server.kill();
      await server.start();
    }
    await twoWorkers(server);
    const victim = server.workers[round % 2] as number;
    process.kill(victim, "SIGKILL");
    while (server.workers.includes(victim)) await pause(20);
  };
  try {
    return await disturbUnderLoad({ client: server.client, disturb: [disturb], rounds });
  } finally {
    await server.kill();
  }
}

async function twoWorkers(server: ServerProcess): Promise<void> {
  while (server.workers.length < 2) await pause(20);
}

/** Kills the etcd of a server that keeps running. */
export async function crashServerOverEtcd(directory: string, rounds: number): Promise<CrashSummary> {
  const etcd = await EtcdProcess.start();
  const server = await ServerProcess.started({ directory, flags: [`--etcd-servers=${etcd.endpoint}`] });
  const disturb = async (): Promise<void> => {
    await etcd.kill();
    await etcd.restart();
  };
  try {
    return await disturbUnderLoad({ client: server.client, disturb: [disturb], rounds });
  } finally {
    await server.kill();
    await etcd.stop();
  }
}

/** Two servers over one etcd that accept the same clients, behind a balancer. */
export interface TwoServers {
  readonly first: ServerProcess;
  readonly second: ServerProcess;
  /** Port of the balancer. */
  readonly port: number;
}

export async function startTwoServers(directory: string): Promise<TwoServers & { stop(): Promise<void> }> {
  const etcd = await EtcdProcess.start();
  const flags = [`--etcd-servers=${etcd.endpoint}`];
  const certDir = join(directory, "pki");
  const first = await ServerProcess.started({ directory: join(directory, "first"), certDir, flags });
  const second = await ServerProcess.started({ directory: join(directory, "second"), certDir, flags });
  const balancer = await Balancer.before([first.port, second.port]);
  return {
    first,
    second,
    port: balancer.port,
    async stop() {
      balancer.stop();
      await Promise.all([first.kill(), second.kill()]);
      await etcd.stop();
    },
  };
}

export async function withTwoServers<T>(directory: string, use: (servers: TwoServers) => Promise<T>): Promise<T> {
  const servers = await startTwoServers(directory);
  try {
    return await use(servers);
  } finally {
    await servers.stop();
  }
}

/** Pause between writes while a server starts, which needs the processor. The other server accepts writes meanwhile. */
const PACE_BESIDE_START_MS = 150;

/** In each round, stops one of two servers gracefully and starts it again, then kills the other and starts it again. */
export function restartInTurn({ first, second, port }: TwoServers, rounds: number): Promise<CrashSummary> {
  const replace = async (): Promise<void> => {
    await first.stop();
    await first.start();
  };
  const crash = async (): Promise<void> => {
    await second.kill();
    await second.start();
  };
  const client = AdminClient.fromKubeconfig(first.kubeconfig, port);
  return disturbUnderLoad({ client, disturb: [replace, crash], rounds, paceMs: PACE_BESIDE_START_MS });
}
