import { request } from "node:https";
import { measureInTurn } from "../store/durable-writes.ts";
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
const GET_TURNS = { sliceMs: 150, slices: 16, warmUp: 300 };
/** A slice ends when the list that was started in it is complete. */
const LIST_TURNS = { sliceMs: 400, slices: 5, warmUp: 1 };
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";

export async function measureReads(client: Client, run: Run, report: Report): Promise<void> {
  const get = (index: number) => client.send({ path: podPath(index) });
  await load(client, 300, IN_FLIGHT, get);
  await run("get", GETS, IN_FLIGHT, get);
  const list = (headers?: Record<string, string>) => () =>
    client.send({ path: PODS_PATH, ...(headers && { headers }) });
  const body = await list()();
  await run("list 10,000 pods, JSON", LISTS, 1, list());
  for (const [name, accept] of [
    ["list, protobuf", PROTOBUF],
    ["list, Table", TABLE],
  ] as const) {
    await list({ accept })();
    await run(name, LISTS, 1, list({ accept }));
  }
  await run("list, JSON, gzip", 2, 1, list({ "accept-encoding": "gzip" }));
  await run("list in pages of 500, whole walk", 2, 1, () => walk(client));
  await run("list by label, 1 %", 1_200, 4, () => client.send({ path: `${PODS_PATH}?labelSelector=rare%3Dyes` }));
  await measureSlowReaders(client, report);
  await measureWaiting(client, report);
  await compareWithBareServer([await get(0), body], { get, list: list() }, client.target.pace, report);
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

/** Measures the memory that ten complete lists add to the server while their clients read slowly. */
async function measureSlowReaders(client: Client, report: Report): Promise<void> {
  const { pids, url, headers, tls, eventLoopDelay } = client.target;
  // Other servers may close the connections of slow readers.
  if (eventLoopDelay === undefined) return;
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

/** Measures the event loop delay that other requests experience while lists of all formats are encoded. */
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

/** Compares with a server that only sends the same bytes. The two take turns. */
async function compareWithBareServer(
  bodies: readonly Buffer[],
  ours: { readonly get: (index: number) => Promise<unknown>; readonly list: () => Promise<unknown> },
  pace: Pace | undefined,
  report: Report,
): Promise<void> {
  const bare = { ...(await startBareServer(bodies)), ...(pace && { pace }) };
  const client = new Client(bare);
  const get = () => client.send({ path: "/0" });
  const list = () => client.send({ path: "/1" });
  try {
    const oneOf = (index: number) => ours.get(index % GETS);
    const gets = await measureInTurn([{ write: oneOf }, { write: get }], IN_FLIGHT, GET_TURNS);
    const lists = await measureInTurn([{ write: ours.list }, { write: list }], 1, LIST_TURNS);
    for (const [what, [value, baseline], atLeast] of [
      ["gets per second", gets, 0.6],
      ["lists of 10,000 pods per second", lists, 0.7],
    ] as const) {
      report({
        name: what,
        value,
        unit: "/s",
        baseline: { name: "bare server", value: baseline },
        bar: { atLeast },
      });
    }
    const cost = async (count: number, inFlight: number, work: () => Promise<unknown>) =>
      (await load(client, count, inFlight, work)).cost.undisturbed;
    report({ name: "get, bare server", value: await cost(GETS, IN_FLIGHT, get), unit: "CPU ms" });
    report({ name: "list, bare server", value: await cost(LISTS, 1, list), unit: "CPU ms" });
  } finally {
    client.close();
    await bare.stop();
  }
}
