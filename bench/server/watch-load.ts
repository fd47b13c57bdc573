import { request } from "node:https";
import { formatNumber, percentile } from "../measurement.ts";
import { aims } from "./aims.ts";
import { CostMeter } from "./cost-meter.ts";
import { Client } from "./load.ts";
import type { Report } from "./measure-server.ts";
import { configMap, MAPS_PATH } from "./objects.ts";
import type { Target } from "./server-process.ts";

const WRITES = 100;
const SLICES = 4;
const LIMIT_MS = 60_000;

/** Many watchers of one resource, and a writer: what a write costs, how late its events arrive, and whether any is missed. */
export async function measureFanOut(target: Target, report: Report): Promise<void> {
  for (const watchers of [100, 500]) {
    const client = new Client(target);
    const seen: number[] = new Array(watchers).fill(0);
    const lags: number[] = [];
    const sentAt = new Map<string, number>();
    const from = await currentVersion(client);
    const open = await Promise.all(
      seen.map((_, index) =>
        openWatch(target, from, (name) => {
          const sent = sentAt.get(name);
          if (sent === undefined) return;
          seen[index]!++;
          lags.push(performance.now() - sent);
        }),
      ),
    );
    const meter = new CostMeter(target);
    const writes = WRITES / SLICES;
    for (let slice = 1; slice <= SLICES; slice++) {
      await meter.slice(writes, async () => {
        for (let index = 0; index < writes; index++) {
          const name = `watched-${watchers}-${slice}-${index}`;
          sentAt.set(name, performance.now());
          await client.send({ method: "POST", path: MAPS_PATH, body: configMap(name, "0") });
        }
        await until(() => lags.length >= slice * writes * watchers);
      });
    }
    const name = `watch, ${watchers} watchers, per write`;
    const aim = aims[name];
    const { undisturbed, asMeasured } = meter.cost();
    const unit = `CPU ms (${formatNumber(asMeasured)} as measured)`;
    if (target.pids.length > 0)
      report({ name, value: undisturbed, unit, ...(aim !== undefined && { bar: { atMost: aim } }) });
    report({
      name: `watch, ${watchers} watchers, events missed or doubled`,
      value: seen.filter((count) => count !== WRITES).length,
      unit: "watches",
      bar: { atMost: 0 },
    });
    report({ name: `watch, ${watchers} watchers, lag at p99`, value: percentile(lags, 0.99), unit: "ms" });
    for (const close of open) close();
    client.close();
  }
}

/** Waits for what should come soon, and gives up in the end: what is missing then is counted as missed. */
async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!condition() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Where a watch begins that is told of later changes only: what it costs to send what exists is another figure. */
async function currentVersion(client: Client): Promise<string> {
  const page = await client.send({ path: `${MAPS_PATH}?limit=1` });
  return (JSON.parse(page.toString("utf8")) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}

/** Follows ConfigMaps and calls back with the name in each event; resolves when the watch is established. */
function openWatch(target: Target, from: string, onEvent: (name: string) => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${target.url}${MAPS_PATH}?watch=1&resourceVersion=${from}`,
      { headers: target.headers, ...target.tls, agent: false },
      (response) => {
        let rest = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          const lines = (rest + chunk).split("\n");
          rest = lines.pop() ?? "";
          for (const line of lines) {
            const name = /"name":"(watched-[^"]+)"/.exec(line)?.[1];
            if (name !== undefined) onEvent(name);
          }
        });
        response.on("error", () => undefined);
        resolve(() => sent.destroy());
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}
