import { join } from "node:path";
import { registry } from "../../generated/registry.ts";
import { migrateStorageCommand } from "../../runtime/cli/migrate-storage.ts";
import { checkLinearizable } from "../linearizable/check-linearizable.ts";
import { checkWatches } from "../linearizable/check-watches.ts";
import { type Api, HistoryRecorder } from "../linearizable/record-history.ts";
import { seeded } from "../linearizable/seeded.ts";
import { AdminClient } from "../tools/admin-client.ts";
import { Balancer } from "../tools/balancer.ts";
import { EtcdProcess } from "../tools/etcd-process.ts";
import { ServerProcess } from "../tools/server-process.ts";

export interface RollSummary {
  readonly replaced: number;
  readonly requests: number;
  readonly events: number;
  /** Reads that were repeated because their connection was closed. */
  readonly repeated: number;
  /** Problems that clients noticed: failed requests, and contradictions in responses and events. */
  readonly problems: readonly string[];
}

/** Flags of the servers in turn, as in a fleet that is upgraded by one release and downgraded again. */
const RELEASES = [["--release=1.33"], ["--release=1.32"], ["--release=1.33"], []] as const;
const DRAINING = "--shutdown-delay-duration=3s";

/**
 * Two servers over one etcd, under load, behind a balancer that checks `/readyz`. In each round, a third server is started with other flags
 * and one of the two is stopped, as an orchestrator replaces servers, while stored objects are migrated.
 */
export async function rollServers(directory: string, rounds: number, seed: number): Promise<RollSummary> {
  const etcd = await EtcdProcess.start();
  const certDir = join(directory, "pki");
  let started = 0;
  const start = (): Promise<ServerProcess> => {
    const flags = [`--etcd-servers=${etcd.endpoint}`, DRAINING, ...(RELEASES[started % RELEASES.length] ?? [])];
    return ServerProcess.started({ directory: join(directory, `server-${started++}`), certDir, flags });
  };
  const servers = [await start(), await start()];
  const balancer = await Balancer.before(servers.map(({ port }) => port));
  try {
    const client = new CarefulClient(AdminClient.fromKubeconfig(servers[0]?.kubeconfig ?? "", balancer.port));
    const recorder = new HistoryRecorder({
      apis: [client],
      prefix: "roll-",
      writers: 8,
      watchers: 4,
      keys: 6,
      random: seeded(seed),
    });
    await recorder.start();
    const problems: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const next = await start();
      servers.push(next);
      const old = servers.shift() as ServerProcess;
      const migrated = migrate(etcd.endpoint);
      // The balancer notices this like a failing health check, some time after the signal.
      const stopped = old.stop();
      await untilNotReady(old);
      balancer.use(servers.map(({ port }) => port));
      await stopped;
      if ((await migrated) !== 0) problems.push(`round ${round}: migrate-storage failed`);
    }
    const history = await recorder.finish();
    return {
      replaced: rounds,
      requests: history.operations.length + history.lists.length,
      events: history.watches.reduce((sum, { steps }) => sum + steps.length, 0),
      repeated: client.repeated,
      problems: [...problems, ...client.failures, ...checkLinearizable(history), ...checkWatches(history)],
    };
  } finally {
    balancer.stop();
    await Promise.all(servers.map((server) => server.kill()));
    await etcd.stop();
  }
}

/** Repeats reads whose connection was closed, and requests that the server did not try (429), as clients do. Counts the requests that still fail. */
class CarefulClient implements Api {
  readonly failures: string[] = [];
  repeated = 0;
  readonly #client: AdminClient;

  constructor(client: AdminClient) {
    this.#client = client;
  }

  async request(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await this.#client.request(method, path, body);
        if (answer.status === 429 && attempt < 5) {
          this.repeated++;
          await new Promise((resolve) => setTimeout(resolve, 1000));
          continue;
        }
        if (answer.status >= 429) this.failures.push(`${method} ${path}: ${JSON.stringify(answer.body)}`);
        return answer;
      } catch (error) {
        if (method === "GET" && attempt < 5) {
          this.repeated++;
          continue;
        }
        this.failures.push(`${method} ${path}: ${String(error)}`);
        throw error;
      }
    }
  }

  watch(path: string, onEvent: (event: unknown) => void, signal?: AbortSignal): Promise<void> {
    return this.#client.watch(path, onEvent, signal);
  }
}

async function untilNotReady({ client }: ServerProcess): Promise<void> {
  for (;;) {
    const answer = await client.request("GET", "/readyz").catch(() => undefined);
    if (answer?.status !== 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function migrate(endpoint: string): Promise<number> {
  const nowhere = { stdin: () => "", out: () => undefined, err: () => undefined };
  return migrateStorageCommand([`--etcd-servers=${endpoint}`], nowhere, registry);
}
