/**
 * A long run: `make linearizable ROUNDS=200`. In each round concurrent clients send requests while the server is killed, stopped and
 * continued, its connections are broken, or it compacts its history. Prints what was checked; exits with 1 if a contradiction was found. With
 * `WORKERS=2` each server has this number of workers, and individual workers are killed and stopped, too.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AdminClient } from "../tools/admin-client.ts";
import { EtcdProcess } from "../tools/etcd-process.ts";
import { ServerProcess } from "../tools/server-process.ts";
import { findTool, skipMessage } from "../tools/tools.ts";
import { checkLinearizable } from "./check-linearizable.ts";
import { checkWatches } from "./check-watches.ts";
import { HistoryRecorder } from "./record-history.ts";
import { seeded } from "./seeded.ts";

const rounds = Number(process.argv[2] ?? 20);
const seed = Number(process.argv[3] ?? 1);
const REQUESTS_A_ROUND = 400;
const workers = Number(process.env.WORKERS ?? 1);
/** Short, so that watches expire during a run. */
const FLAGS = ["--etcd-compaction-interval=3s", "--controllers=false", `--workers=${workers}`];

interface Target {
  readonly name: string;
  readonly clients: readonly AdminClient[];
  readonly servers: readonly ServerProcess[];
}

type Fault = (target: Target, random: () => number) => Promise<void>;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const oneOf = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)] as T;

/** Sends a signal to a worker, unless it has ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

const WORKER_FAULTS: Readonly<Record<string, Fault>> = {
  "kill worker": async ({ servers }, random) => signal(oneOf(oneOf(servers, random).workers, random), "SIGKILL"),
  "pause worker": async ({ servers }, random) => {
    const pid = oneOf(oneOf(servers, random).workers, random);
    signal(pid, "SIGSTOP");
    await pause(200 + random() * 1500);
    signal(pid, "SIGCONT");
  },
};

const FAULTS: Readonly<Record<string, Fault>> = {
  ...(workers > 1 && WORKER_FAULTS),
  none: async () => undefined,
  kill: async ({ servers }, random) => {
    const server = oneOf(servers, random);
    await server.kill();
    await server.start();
  },
  pause: async ({ servers }, random) => {
    const { pid } = oneOf(servers, random);
    process.kill(pid, "SIGSTOP");
    await pause(200 + random() * 1500);
    process.kill(pid, "SIGCONT");
  },
  cut: async ({ clients }) => {
    for (const client of clients) client.close();
  },
  expire: () => pause(4000),
};

async function run(target: Target): Promise<void> {
  const started = performance.now();
  const random = seeded(seed);
  const count = { requests: 0, events: 0, unknown: 0 };
  let contradictions = 0;
  for (let round = 0; round < rounds && contradictions === 0; round++) {
    const recorder = new HistoryRecorder({
      apis: target.clients,
      prefix: `lin-${round}-`,
      writers: 8,
      watchers: 4,
      keys: 4,
      random,
      eventsPerConnection: 60,
    });
    await recorder.start();
    const names = Object.keys(FAULTS);
    const fault = names[round % names.length] as string;
    while (recorder.count < REQUESTS_A_ROUND / 2) await pause(5);
    await FAULTS[fault]?.(target, random);
    while (recorder.count < REQUESTS_A_ROUND) await pause(5);
    const history = await recorder.finish();
    await recorder.cleanUp();
    count.requests += history.operations.length + history.lists.length;
    count.events += history.watches.reduce((sum, { steps }) => sum + steps.length, 0);
    count.unknown += history.operations.filter(({ outcome }) => outcome.result === "unknown").length;
    const problems = [...checkLinearizable(history), ...checkWatches(history)];
    contradictions += problems.length;
    for (const problem of problems) console.log(`  ${target.name}, round ${round}, ${fault}: ${problem}`);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `${target.name}: ${rounds} rounds, seed ${seed}, ${count.requests} requests (${count.unknown} without a response), ${count.events} steps of watches, ${contradictions} contradictions, ${seconds} s`,
  );
  if (contradictions > 0) process.exitCode = 1;
}

const directory = mkdtempSync(join(tmpdir(), "typeplane-linearizable-"));
const suffix = workers > 1 ? ` with ${workers} workers` : "";
try {
  const server = await ServerProcess.started({ directory: join(directory, "one"), flags: FLAGS });
  try {
    await run({ name: `embedded store${suffix}`, clients: [server.client], servers: [server] });
  } finally {
    await server.kill();
  }
  if (findTool("etcd") === undefined) console.log(`two servers over etcd: ${skipMessage("etcd")}`);
  else {
    const etcd = await EtcdProcess.start();
    const certDir = join(directory, "pki");
    const flags = [...FLAGS, `--etcd-servers=${etcd.endpoint}`];
    const servers: ServerProcess[] = [];
    try {
      for (const name of ["first", "second"])
        servers.push(await ServerProcess.started({ directory: join(directory, name), certDir, flags }));
      await run({ name: `two servers over etcd${suffix}`, clients: servers.map(({ client }) => client), servers });
    } finally {
      for (const one of servers) await one.kill();
      await etcd.stop();
    }
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
