import { formatNumber, type Measurement, percentile } from "../measurement.ts";
import { aims } from "./aims.ts";
import { CostMeter } from "./cost-meter.ts";
import { Client } from "./load.ts";
import type { Report } from "./measure-server.ts";
import { configMap, MAPS_PATH } from "./objects.ts";
import type { Target } from "./server-process.ts";
import { type Arrivals, WATCHED, Watchers, wallClock } from "./watchers.ts";

/** Equal to the concurrency of the other measured writes. */
const IN_FLIGHT = 8;
const WRITES = 240;
const SLICES = 6;
/** For each number of watchers, the writes per second that they follow, and limits: processor time per write, and delays. */
const PACED = [
  { watchers: 100, perSecond: 200, cpuMs: 1.5, p50: undefined, p99: 100 },
  { watchers: 500, perSecond: 100, cpuMs: 3.5, p50: 50, p99: 250 },
] as const;
const PACED_SLICE_SECONDS = 2;
/** Factor by which the rate is raised to more than the server and the watchers can follow. */
const TOO_MANY = 2;
/** Maximum factor by which the cost of a write may then grow: watchers that lag behind must not slow each other down further. */
const BEHIND_RATIO = 1.3;
/** Seconds of writes to watchers of pods that do not count. */
const COLD_SECONDS = 4;
/** Limit for the events of a single writer to 500 watchers. */
const ALONE_P99_MS = 60;

/** Time limit for events that should arrive soon. Events that arrive later count as missed. */
const LIMIT_MS = 60_000;

/**
 * Measures many watchers of one resource: the cost of a write under load and alone, the delay of the events of a single writer (under load,
 * the reading side would cause the delay), and whether any event is missed. As with other writes, the first ones do not count.
 */
export async function measureFanOut(target: Target, report: Report): Promise<void> {
  const client = new Client(target);
  for (const { watchers, perSecond, ...limits } of PACED) {
    const from = await currentVersion(client);
    const open = await Watchers.open(target, `${MAPS_PATH}?watch=1&resourceVersion=${from}`, watchers);
    const fanOut = new FanOut(client, open, watchers, (name) =>
      client.send({ method: "POST", path: MAPS_PATH, body: configMap(name, "0") }),
    );
    await fanOut.write("before", IN_FLIGHT);
    const busy = await fanOut.write("busy", IN_FLIGHT);
    const alone = await fanOut.write("alone", 1);
    const paced = await fanOut.writeAtRate("paced", perSecond);
    const arrivals = await open.arrivals();
    await open.close();
    const name = `watch, ${watchers} watchers`;
    if (target.pids.length > 0) {
      const aim = aims[`${name}, per write`];
      const { undisturbed, asMeasured } = busy.cost();
      const unit = `CPU ms (${formatNumber(asMeasured)} as measured)`;
      report({
        name: `${name}, per write`,
        value: undisturbed,
        unit,
        ...(aim !== undefined && { bar: { atMost: aim } }),
      });
      report({ name: `${name}, per write, one at a time`, value: alone.cost().undisturbed, unit: "CPU ms" });
      report({
        name: `${name}, per write, ${perSecond} a second`,
        value: paced.cost().undisturbed,
        unit: `CPU ms (${formatNumber(paced.cost().asMeasured)} as measured)`,
        bar: { atMost: limits.cpuMs },
      });
    }
    report(missedOrDoubled(name, arrivals, fanOut));
    report({
      name: `${name}, lag at p99`,
      value: percentile(fanOut.lags("alone", arrivals), 0.99),
      unit: `ms (p50 ${percentile(fanOut.lags("alone", arrivals), 0.5).toFixed(0)})`,
      ...(watchers === 500 && { bar: { atMost: ALONE_P99_MS } }),
    });
    for (const lag of pacedLags(`${name}, ${perSecond} writes a second`, fanOut.lags("paced", arrivals), limits))
      report(lag);
  }
  client.close();
}

/**
 * Like `measureFanOut`, for pods as in clusters and only at the given rates: with events of this size, bytes cost as much as writes. The
 * figure is processor time as measured. `pods` are the paths of pods, which are patched in turn.
 */
export async function measurePodFanOut(
  client: Client,
  collection: string,
  pods: readonly string[],
  report: Report,
): Promise<void> {
  for (const { watchers, perSecond, ...limits } of PACED) {
    const page = await client.send({ path: `${collection}?limit=1` });
    const open = await Watchers.open(
      client.target,
      `${collection}?watch=1&resourceVersion=${versionOf(page)}`,
      watchers,
    );
    let next = 0;
    // The watchers read the first "name" of an event, which is that of this annotation.
    const fanOut = new FanOut(client, open, watchers, (name) =>
      client.send({
        method: "PATCH",
        path: pods[next++ % pods.length] as string,
        headers: { "content-type": "application/merge-patch+json" },
        body: JSON.stringify({ metadata: { annotations: { name } } }),
      }),
    );
    await fanOut.writeAtRate("before", perSecond, COLD_SECONDS / PACED_SLICE_SECONDS);
    const { undisturbed, asMeasured } = (await fanOut.writeAtRate("paced", perSecond)).cost();
    const behind = (await fanOut.writeAtRate("behind", TOO_MANY * perSecond, SLICES / TOO_MANY)).cost();
    const arrivals = await open.arrivals();
    await open.close();
    const name = `watch pods of 5.4 KB, ${watchers} watchers`;
    if (client.target.pids.length > 0) {
      const unit = `CPU ms as measured (${formatNumber(undisturbed)} corrected)`;
      const bar = { atMost: limits.cpuMs };
      report({ name: `${name}, per write, ${perSecond} a second`, value: asMeasured, unit, bar });
      report({
        name: `${name}, per write, ${TOO_MANY * perSecond} a second`,
        value: behind.asMeasured,
        unit: "CPU ms as measured",
        baseline: { name: `${perSecond} a second`, value: asMeasured },
        bar: { atMost: BEHIND_RATIO },
      });
    }
    report(missedOrDoubled(name, arrivals, fanOut));
    for (const lag of pacedLags(`${name}, ${perSecond} writes a second`, fanOut.lags("paced", arrivals), limits))
      report(lag);
  }
}

function missedOrDoubled(name: string, { perWatcher }: Arrivals, { written }: FanOut): Measurement {
  const value = perWatcher.filter((count) => count !== written).length;
  return { name: `${name}, events missed or doubled`, value, unit: "watches", bar: { atMost: 0 } };
}

function pacedLags(
  name: string,
  lags: readonly number[],
  { p50, p99 }: { readonly p50: number | undefined; readonly p99: number },
): Measurement[] {
  return [
    {
      name: `${name}, lag at p50`,
      value: percentile(lags, 0.5),
      unit: "ms",
      ...(p50 !== undefined && { bar: { atMost: p50 } }),
    },
    { name: `${name}, lag at p99`, value: percentile(lags, 0.99), unit: "ms", bar: { atMost: p99 } },
  ];
}

/** Writes that watchers follow. */
class FanOut {
  readonly #client: Client;
  readonly #watchers: Watchers;
  readonly #count: number;
  readonly #write: (name: string) => Promise<unknown>;
  readonly #sentAt = new Map<string, number>();

  constructor(client: Client, watchers: Watchers, count: number, write: (name: string) => Promise<unknown>) {
    this.#client = client;
    this.#watchers = watchers;
    this.#count = count;
    this.#write = write;
  }

  /** Writes some slices. Each ends when all watchers have received all of its events. */
  async write(series: string, inFlight: number): Promise<CostMeter> {
    const meter = new CostMeter(this.#client.target);
    const writes = WRITES / SLICES;
    for (let slice = 1; slice <= SLICES; slice++) {
      await meter.slice(writes, async () => {
        let next = 0;
        const writer = async () => {
          while (next < writes) await this.#send(`${WATCHED}${series}-${this.#count}-${slice}-${next++}`);
        };
        await Promise.all(Array.from({ length: inFlight }, writer));
        await this.#watchers.until(this.#sentAt.size * this.#count, LIMIT_MS);
      });
    }
    return meter;
  }

  /** Writes some slices at a fixed rate, whether or not previous writes have completed. */
  async writeAtRate(series: string, perSecond: number, slices = SLICES): Promise<CostMeter> {
    const meter = new CostMeter(this.#client.target);
    const writes = perSecond * PACED_SLICE_SECONDS;
    for (let slice = 1; slice <= slices; slice++) {
      await meter.slice(writes, async () => {
        const began = performance.now();
        const open: Promise<void>[] = [];
        for (let next = 0; next < writes; next++) {
          const due = began + (next * 1000) / perSecond;
          const early = due - performance.now();
          if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
          open.push(this.#send(`${WATCHED}${series}-${this.#count}-${slice}-${next}`));
        }
        await Promise.all(open);
        await this.#watchers.until(this.#sentAt.size * this.#count, LIMIT_MS);
      });
    }
    return meter;
  }

  /** Number of writes so far. */
  get written(): number {
    return this.#sentAt.size;
  }

  /** Returns the delays between sending the writes of a series and their arrival at each watcher. */
  lags(series: string, { byName }: Arrivals): number[] {
    const lags: number[] = [];
    for (const [name, times] of byName) {
      const sent = this.#sentAt.get(name);
      if (sent === undefined || !name.startsWith(WATCHED + series)) continue;
      for (const time of times) lags.push(time - sent);
    }
    return lags;
  }

  async #send(name: string): Promise<void> {
    this.#sentAt.set(name, wallClock());
    await this.#write(name);
  }
}

/** Returns the resourceVersion for a watch of later changes only: sending existing objects is measured elsewhere. */
async function currentVersion(client: Client): Promise<string> {
  return versionOf(await client.send({ path: `${MAPS_PATH}?limit=1` }));
}

function versionOf(list: Buffer): string {
  return (JSON.parse(list.toString("utf8")) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}
