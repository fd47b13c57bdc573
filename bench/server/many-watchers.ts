import { request } from "node:https";
import { percentile } from "../measurement.ts";
import { Client } from "./load.ts";
import type { Report } from "./measure-server.ts";
import { configMap, MAPS_PATH, NAMESPACE } from "./objects.ts";
import { cpuMs, residentMiB, startServer, type Target } from "./server-process.ts";
import { WATCHED, Watchers, wallClock } from "./watchers.ts";

const WATCHERS = Number(process.env.WATCHERS ?? 10_000);
const WRITES = 20;
const LIMIT_MS = 120_000;
const FLAGS = [
  "--max-requests-inflight=0",
  "--max-mutating-requests-inflight=0",
  "--max-longrunning-requests-per-user=0",
  "--max-longrunning-requests=0",
];

/** Measures ten thousand watchers of one kind, a tenth as many of one object each, and one that never reads. `WATCHERS=1000` sets another number. */
export async function measureManyWatchers(report: Report): Promise<void> {
  const target = await startServer({ flags: FLAGS });
  const client = new Client(target);
  const open: Watchers[] = [];
  try {
    await client.send({ method: "POST", path: "/api/v1/namespaces", body: `{"metadata":{"name":"${NAMESPACE}"}}` });
    const page = (await client.send({ path: `${MAPS_PATH}?limit=1` })).toString("utf8");
    const watch = `watch=1&resourceVersion=${/"resourceVersion":"(\d+)"/.exec(page)?.[1] ?? "0"}`;
    const before = { memory: residentMiB(target.pids), cpu: cpuMs(target.pids) };
    const all = await Watchers.open(target, `${MAPS_PATH}?${watch}`, WATCHERS);
    open.push(all);
    const singles = Math.ceil(WATCHERS / 10);
    open.push(await Watchers.open(target, `${MAPS_PATH}?fieldSelector=metadata.name%3Done-{}&${watch}`, singles));
    const count = WATCHERS + singles;
    const name = `${WATCHERS.toLocaleString("en")} watchers of a kind, ${singles.toLocaleString("en")} of one object each`;
    report({ name: `${name}: open one`, value: (cpuMs(target.pids) - before.cpu) / count, unit: "CPU ms" });
    report({
      name: `${name}: memory of one`,
      value: ((residentMiB(target.pids) - before.memory) * 1024) / count,
      unit: "KiB",
    });
    const sentAt = new Map<string, number>();
    const write = async (object: string): Promise<void> => {
      sentAt.set(object, wallClock());
      await client.send({ method: "POST", path: MAPS_PATH, body: configMap(object, "0") });
    };
    /** Writes one after the other objects that all watchers of the kind receive. Returns the cost of one write. */
    const series = async (label: string): Promise<number> => {
      const began = cpuMs(target.pids);
      for (let index = 0; index < WRITES; index++) {
        await write(`${WATCHED}${label}-${index}`);
        await all.until(sentAt.size * WATCHERS, LIMIT_MS);
      }
      return (cpuMs(target.pids) - began) / WRITES;
    };
    await series("first");
    report({
      name: `${name}: write that ${WATCHERS.toLocaleString("en")} see`,
      value: await series("fast"),
      unit: "CPU ms",
    });
    const slow = openUnread(target, `${MAPS_PATH}?${watch}`);
    report({ name: `${name}: the same beside one that does not read`, value: await series("slow"), unit: "CPU ms" });
    slow.destroy();
    const { byName, perWatcher } = await all.arrivals();
    const lags = [...byName].flatMap(([object, times]) =>
      object.startsWith(`${WATCHED}fast`) ? times.map((time) => time - (sentAt.get(object) ?? time)) : [],
    );
    report({ name: `${name}: delay p50`, value: percentile(lags, 0.5), unit: "ms" });
    report({ name: `${name}: delay p99`, value: percentile(lags, 0.99), unit: "ms" });
    report({
      name: `${name}: watchers that missed or repeated an event`,
      value: perWatcher.filter((events) => events !== 3 * WRITES).length,
      unit: "watchers",
      bar: { atMost: 0 },
    });
    report({ name: `${name}: resident memory`, value: residentMiB(target.pids), unit: "MiB" });
  } finally {
    for (const each of open) await each.close();
    client.close();
    await target.stop();
  }
}

/** Opens a watch whose client reads nothing. */
function openUnread({ url, headers, tls }: Target, path: string): { destroy(): void } {
  const sent = request(url + path, { headers, ...tls, agent: false }, (response) => response.pause());
  sent.on("error", () => undefined);
  sent.end();
  return sent;
}
