import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Measurement, medianTurn, percentile, type Turn } from "../measurement.ts";
import { Client } from "../server/load.ts";
import { cpuMs, startServer, type Target } from "../server/server-process.ts";
import type { FloodCount, FloodOrder } from "./tenant.ts";

const ROUNDS = 9;
const SLICE_MS = 2_000;
const SETTLE_MS = 500;
/**
 * Number of rounds. The CPU time of a request varies by half from second to second, because caches and processors are shared. Many short
 * slices of both servers in turn show a difference of a few percent; a few long ones do not.
 */
const CAPACITY_ROUNDS = 120;
const CAPACITY_SLICE_MS = 300;
const CAPACITY_SETTLE_MS = 60;
/** Slices before the measurement, in which connections are opened and code is compiled. */
const WARM_UP_SLICES = 3;
/** Connections of the flooding tenant. */
const CONNECTIONS = 200;
/** Concurrent workers of the quiet tenant, which pause between requests. */
const WORKERS = 8;
const PAUSE_MS = 20;
const OBJECTS = 50;
const MAPS = "/api/v1/namespaces/default/configmaps";
const TENANTS = ["flood", "quiet"] as const;

const paths = Array.from({ length: OBJECTS }, (_, index) => `${MAPS}/map-${index}`);

/** Measures two tenants, one of which floods the server: how the other is affected, and what fairness costs the server. */
export async function measureTwoTenants(): Promise<Measurement[]> {
  const fair = await start(true);
  const plain = await start(false);
  try {
    const alone: Turn[] = [];
    const beside: Turn[] = [];
    const answers: Record<Share, Turn[]> = { p90: [], p99: [] };
    const unfairAnswers: Record<Share, Turn[]> = { p90: [], p99: [] };
    const work: Turn[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const calm = await fair.slice(false);
      const flooded = await fair.slice(true);
      const unfair = await plain.slice(true);
      alone.push([flooded.p99, calm.p99]);
      beside.push([unfair.p99, calm.p99]);
      for (const share of SHARES) {
        answers[share].push([flooded.answered[share], calm.answered[share]]);
        unfairAnswers[share].push([unfair.answered[share], calm.answered[share]]);
      }
    }
    for (let round = 0; round < CAPACITY_ROUNDS; round++) {
      const isFairFirst = round % 2 === 0;
      const first = await (isFairFirst ? fair : plain).capacity();
      const second = await (isFairFirst ? plain : fair).capacity();
      work.push(isFairFirst ? [first, second] : [second, first]);
    }
    const line = (name: string, [value, baseline]: Turn, unit: string, than: string, bar: Measurement["bar"]) => ({
      name,
      value,
      unit,
      baseline: { name: than, value: baseline },
      ...(bar !== undefined && { bar }),
    });
    return [
      line("p99 of a tenant beside one that floods", medianTurn(alone), "ms", "alone", { atMost: 2 }),
      line("the same without fairness", medianTurn(beside), "ms", "alone", undefined),
      ...SHARES.flatMap((share) => [
        line(`${share} of the requests answered before its own`, medianTurn(answers[share]), "", "alone", undefined),
        line("the same without fairness", medianTurn(unfairAnswers[share]), "", "alone", undefined),
      ]),
      line("requests per second of CPU time, flooded", medianTurn(work), "/s", "without fairness", { atLeast: 0.95 }),
    ];
  } finally {
    await Promise.all([fair.stop(), plain.stop()]);
  }
}

const SHARES = ["p90", "p99"] as const;
type Share = (typeof SHARES)[number];

const isNotReady = (): boolean => false;

interface Slice {
  /** Latency of the quiet tenant, in milliseconds. */
  readonly p99: number;
  /** Number of responses between the arrival of a request of the quiet tenant and its own response. */
  readonly answered: Readonly<Record<Share, number>>;
}

interface MeasuredServer {
  slice(isFlooded: boolean): Promise<Slice>;
  /** Returns the responses per second of CPU time to the flooding tenant alone: the same work on both servers. */
  capacity(): Promise<number>;
  stop(): Promise<void>;
}

async function start(isFair: boolean): Promise<MeasuredServer> {
  const target = await startServer({
    tenants: TENANTS,
    recorder: new URL("./answered-probe.ts", import.meta.url),
    flags: ["--authorization-mode=AlwaysAllow", `--enable-priority-and-fairness=${isFair}`],
  });
  const setUp = new Client(target);
  while (await setUp.send({ path: "/readyz" }).then(isNotReady, () => true)) await sleep(SETTLE_MS);
  for (let index = 0; index < OBJECTS; index++) {
    const body = JSON.stringify({ metadata: { name: `map-${index}` }, data: { value: "x".repeat(500) } });
    await setUp.send({ method: "POST", path: MAPS, body });
  }
  setUp.close();
  const child = fork(new URL("./tenant.ts", import.meta.url), { execArgv: ["--disable-warning=ExperimentalWarning"] });
  // Created once and reused, because TLS handshakes are not measured.
  const quiet = new Client({ ...target, headers: { authorization: "Bearer quiet" } }, WORKERS);
  for (let count = 0; count < WARM_UP_SLICES; count++) await measureSlice(quiet, child);
  return {
    slice: (isFlooded) => measureSlice(quiet, isFlooded ? child : undefined),
    capacity: () => measureCapacity(target, child),
    async stop() {
      quiet.close();
      child.kill();
      await target.stop();
    },
  };
}

async function beginFlood(target: Target, tenant: ChildProcess, settleMs = SETTLE_MS): Promise<void> {
  const order: FloodOrder = {
    ...{ url: target.url, token: "flood", ca: String(target.tls.ca), connections: CONNECTIONS, paths },
  };
  tenant.send(order);
  await sleep(settleMs);
}

async function endFlood(tenant: ChildProcess): Promise<FloodCount> {
  const counted = once(tenant, "message") as Promise<[FloodCount]>;
  tenant.send("stop");
  return (await counted)[0];
}

async function measureCapacity(target: Target, tenant: ChildProcess): Promise<number> {
  await beginFlood(target, tenant, CAPACITY_SETTLE_MS);
  tenant.send("measure");
  const before = cpuMs(target.pids);
  await sleep(CAPACITY_SLICE_MS);
  const spent = cpuMs(target.pids) - before;
  const { answered, refused } = await endFlood(tenant);
  if (refused > 0)
    throw new Error(`${refused} requests of the flood were refused: the servers did not do the same work`);
  return (answered / spent) * 1000;
}

async function measureSlice(quiet: Client, tenant: ChildProcess | undefined): Promise<Slice> {
  if (tenant === undefined) await sleep(SETTLE_MS);
  else await beginFlood(quiet.target, tenant);
  await quiet.target.recorded?.();
  const latencies = await quietTenant(quiet);
  const answered = (await quiet.target.recorded?.()) ?? [];
  if (tenant !== undefined) await endFlood(tenant);
  return {
    p99: percentile(latencies, 0.99),
    answered: { p90: percentile(answered, 0.9), p99: percentile(answered, 0.99) },
  };
}

/** Gets, lists and writes at a modest rate. Returns the latencies. */
async function quietTenant(client: Client): Promise<number[]> {
  const end = performance.now() + SLICE_MS;
  const latencies: number[] = [];
  const patch = JSON.stringify({ data: { changed: "yes" } });
  const worker = async (index: number): Promise<void> => {
    for (let count = index; performance.now() < end; count++) {
      const path = paths[count % OBJECTS] ?? MAPS;
      const began = performance.now();
      if (count % 10 === 0) await client.send({ path: MAPS });
      else if (count % 10 === 1)
        await client.send({
          method: "PATCH",
          path,
          body: patch,
          headers: { "content-type": "application/merge-patch+json" },
        });
      else await client.send({ path });
      latencies.push(performance.now() - began);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, index) => worker(index)));
  return latencies;
}
