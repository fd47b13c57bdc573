import { readFileSync } from "node:fs";
import { configMap } from "../../../api-definitions/core/v1/config-map.ts";
import "../../../generated/resources/core.v1.ts";
import { connectRequester } from "../../../runtime/client/connect.ts";
import { Informer } from "../../../runtime/client/informer/informer.ts";
import { createInformerSource } from "../../../runtime/client/informer/informer-source.ts";
import type { KnownObject } from "../../../runtime/client/informer/local-store.ts";
import { connect } from "../../../runtime/client.ts";
import { systemClock } from "../../../runtime/lib/clock.ts";
import { ServerProcess } from "../../tools/server-process.ts";
import { TcpProxy } from "./tcp-proxy.ts";
import { Witness } from "./witness.ts";
import { Writer } from "./writer.ts";

export interface ChaosOptions {
  readonly directory: string;
  readonly rounds: number;
  readonly objects: number;
  readonly seed: number;
  readonly log?: (line: string) => void;
}

export interface ChaosSummary {
  readonly rounds: number;
  readonly acked: number;
  readonly events: number;
  /** Number of times that the informer listed all objects again. */
  readonly syncs: number;
  readonly restarts: number;
  readonly contradictions: readonly string[];
}

const NAMESPACE = "default";
const WORKERS = 4;
/** Duration for which the server keeps history; so short that a partition lasts longer. */
const COMPACTION_MS = 1000;
const CATCH_UP_MS = 180_000;

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Disturbs a server and its connections while objects are written and an informer follows: kill -9, SIGSTOP, broken and held connections, and
 * partitions that last longer than the server's history. After each round the store of the informer must equal a list.
 */
export async function runInformerChaos(options: ChaosOptions): Promise<ChaosSummary> {
  const { directory, rounds, objects, seed, log = () => undefined } = options;
  const random = createRandom(seed);
  const flags = [`--etcd-compaction-interval=${COMPACTION_MS}ms`, "--controllers=false"];
  const server = await ServerProcess.started({ directory, flags });
  const proxy = await TcpProxy.before(server.port);
  const kubeconfig = readFileSync(server.kubeconfig, "utf8");
  const client = await connect({ kubeconfigText: kubeconfig, timeoutMs: 30_000 });
  const witness = new Witness();
  const maps = client.of(configMap);
  const writer = new Writer(maps, { namespace: NAMESPACE, objects, random });
  const { requester } = connectRequester({ kubeconfigText: kubeconfig.replace(`:${server.port}`, `:${proxy.port}`) });
  const path = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
  const source = witness.observe(createInformerSource<KnownObject>(requester, path, maps.resource, {}));
  const informer = new Informer<KnownObject>({ source, clock: systemClock, random, idleTimeoutMs: 10_000 });
  try {
    await writer.fill(32);
    informer.on(witness);
    await informer.start();
    const disturbances = createDisturbances(server, proxy);
    for (let round = 0; round < rounds; round++) {
      const [name, disturb] = disturbances[round % disturbances.length] as (typeof disturbances)[number];
      const stop = new AbortController();
      const writing = writer.run(WORKERS, stop.signal);
      await sleep(100 + random() * 300);
      await disturb();
      await sleep(100 + random() * 300);
      stop.abort();
      await writing;
      const caughtUp = await catchUp(informer, async () =>
        versions(await maps.list({ namespace: NAMESPACE, limit: 0 }).all()),
      );
      if (!caughtUp) witness.contradictions.push(`round ${round} (${name}): the store is not equal to a list`);
      const { syncs, restarts } = informer.metrics;
      log(
        `round ${round + 1} (${name}): ${writer.acked.length} writes, ${witness.events} events, ${syncs} syncs, ${restarts} restarts`,
      );
      if (!caughtUp) break;
    }
    witness.check(writer.acked);
    const { syncs, restarts } = informer.metrics;
    const { events, contradictions } = witness;
    return { rounds, acked: writer.acked.length, events, syncs, restarts, contradictions };
  } finally {
    await informer.stop();
    proxy.stop();
    client.close();
    requester.close();
    await server.kill();
  }
}

function createDisturbances(
  server: ServerProcess,
  proxy: TcpProxy,
): readonly (readonly [string, () => Promise<void>])[] {
  const restart = async () => {
    await server.kill();
    await server.start();
  };
  return [
    ["kill -9", restart],
    ["cut connections", async () => proxy.cut()],
    [
      "freeze",
      async () => {
        process.kill(server.pid, "SIGSTOP");
        await sleep(1000);
        process.kill(server.pid, "SIGCONT");
      },
    ],
    [
      "partition",
      async () => {
        proxy.hold();
        await sleep(1500);
        proxy.release();
      },
    ],
    [
      "partition, kill -9 and compaction",
      async () => {
        proxy.hold();
        await restart();
        await sleep(4 * COMPACTION_MS);
        proxy.release();
        proxy.cut();
      },
    ],
  ];
}

function versions(objects: readonly KnownObject[]): string {
  const lines = objects.map(({ metadata }) => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`);
  return lines.sort().join("\n");
}

/** Whether the informer's store becomes equal to a list within the time limit. */
async function catchUp(informer: Informer<KnownObject>, list: () => Promise<string>): Promise<boolean> {
  const expected = await list();
  const end = Date.now() + CATCH_UP_MS;
  for (;;) {
    if (versions(informer.list()) === expected) return true;
    if (Date.now() > end) return false;
    await sleep(50);
  }
}

/** Returns a random source that is determined by the seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
