import { request } from "node:https";
import { startBareServer } from "./bare-target.ts";
import { Client, load } from "./load.ts";
import type { Report, Run } from "./measure-server.ts";
import { PODS_PATH, podPath } from "./objects.ts";
import type { Pace } from "./pace.ts";
import { residentMiB } from "./server-process.ts";

const GETS = 5_000;
const LISTS = 5;
const IN_FLIGHT = 16;
const SLOW_READERS = 10;
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";

export async function measureReads(client: Client, run: Run, report: Report): Promise<void> {
  const get = (index: number) => client.send({ path: podPath(index) });
  await load(client, 300, IN_FLIGHT, get);
  const gets = await run("get", GETS, IN_FLIGHT, get);
  const list = (headers?: Record<string, string>) => () =>
    client.send({ path: PODS_PATH, ...(headers && { headers }) });
  const body = await list()();
  const lists = await run("list 10,000 pods, JSON", LISTS, 1, list());
  for (const [name, accept] of [
    ["list, protobuf", PROTOBUF],
    ["list, Table", TABLE],
  ] as const) {
    await list({ accept })();
    await run(name, LISTS, 1, list({ accept }));
  }
  await run("list, JSON, gzip", 2, 1, list({ "accept-encoding": "gzip" }));
  await run("list in pages of 500, whole walk", 2, 1, () => walk(client));
  await run("list by label, 1 %", 400, 4, () => client.send({ path: `${PODS_PATH}?labelSelector=rare%3Dyes` }));
  await measureSlowReaders(client, report);
  await measureWaiting(client, report);
  await compareWithBareServer([await get(0), body], gets.perSecond, lists.perSecond, client.target.pace, report);
}

async function walk(client: Client): Promise<void> {
  let token = "";
  do {
    const page = await client.send({
      path: `${PODS_PATH}?limit=500${token && `&continue=${encodeURIComponent(token)}`}`,
    });
    token = /"continue":"([^"]+)"/.exec(page.subarray(0, 1_000).toString("utf8"))?.[1] ?? "";
  } while (token !== "");
}

/** What ten whole lists add to the server's memory while their readers take their time. */
async function measureSlowReaders(client: Client, report: Report): Promise<void> {
  const { pids, url, headers, tls } = client.target;
  if (pids.length === 0) return;
  const before = residentMiB(pids);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentMiB(pids));
  }, 50);
  const readSlowly = () =>
    new Promise<void>((resolve, reject) => {
      const sent = request(url + PODS_PATH, { headers, ...tls, agent: false }, (response) => {
        response.on("end", resolve);
        response.on("error", reject);
        response.on("data", () => {
          response.pause();
          setTimeout(() => response.resume(), 2);
        });
      });
      sent.on("error", reject);
      sent.end();
    });
  await Promise.all(Array.from({ length: SLOW_READERS }, readSlowly));
  clearInterval(watch);
  report({ name: "memory added by ten lists to slow readers", value: most - before, unit: "MiB", bar: { atMost: 64 } });
}

/** How long everybody else waits while lists of every kind are being made: how long the event loop is busy at a time. */
async function measureWaiting(client: Client, report: Report): Promise<void> {
  const { target } = client;
  await target.eventLoopDelay?.();
  for (const accept of ["application/json", PROTOBUF, TABLE])
    await client.send({ path: PODS_PATH, headers: { accept } });
  const delay = await target.eventLoopDelay?.();
  if (delay === undefined) return;
  report({ name: "event loop busy beside lists, median", value: delay.median, unit: "ms" });
  report({ name: "event loop busy beside lists, p99", value: delay.p99, unit: "ms" });
  report({ name: "event loop busy beside lists, longest", value: delay.longest, unit: "ms", bar: { atMost: 50 } });
}

async function compareWithBareServer(
  bodies: readonly Buffer[],
  gets: number,
  lists: number,
  pace: Pace | undefined,
  report: Report,
): Promise<void> {
  const bare = { ...(await startBareServer(bodies)), ...(pace && { pace }) };
  const client = new Client(bare);
  try {
    await load(client, 300, IN_FLIGHT, () => client.send({ path: "/0" }));
    const bareGets = await load(client, GETS, IN_FLIGHT, () => client.send({ path: "/0" }));
    await client.send({ path: "/1" });
    const bareLists = await load(client, LISTS, 1, () => client.send({ path: "/1" }));
    const name = "bare server";
    report({
      name: "gets per second",
      value: gets,
      unit: "/s",
      baseline: { name, value: bareGets.perSecond },
      bar: { atLeast: 0.6 },
    });
    report({
      name: "lists of 10,000 pods per second",
      value: lists,
      unit: "/s",
      baseline: { name, value: bareLists.perSecond },
      bar: { atLeast: 0.7 },
    });
    report({ name: "get, bare server", value: bareGets.cost.undisturbed, unit: "CPU ms" });
    report({ name: "list, bare server", value: bareLists.cost.undisturbed, unit: "CPU ms" });
  } finally {
    client.close();
    await bare.stop();
  }
}
