import { setTimeout as pause } from "node:timers/promises";
import type { AdminClient } from "../tools/admin-client.ts";
import type { ServerProcess } from "../tools/server-process.ts";
import { DEFINITIONS, GROUP, WEBHOOKS } from "./cycles.ts";
import { liveMemoryOf } from "./run-soak.ts";

const NAMESPACES = "/api/v1/namespaces";
const HEARTBEAT = `${NAMESPACES}/default/configmaps/heartbeat`;
const APPLY = "application/apply-patch+yaml";
/** Interval of writes. Old history is dropped when something is written. */
const HEARTBEAT_MS = 1000;
/** Maximum time for the deletion of all objects on a busy machine. */
const PATIENCE_MS = 300_000;
/** Number of measurements, of which the lowest counts: open requests and buffers that are not freed yet increase the others. */
const MEASUREMENTS = 3;

export interface MemoryAtRest {
  /** Referenced memory without compiled code. */
  readonly dataMiB: number;
  readonly codeMiB: number;
}

/**
 * Deletes everything that `runSoak` created, waits until its history has expired, and returns the memory that a server of `startSoakServer`
 * still references. It must be the same after a short and a long load. Unlike a slope, it contains no objects and no history, whose size
 * depends on the load.
 */
export async function memoryAtRest(server: ServerProcess, restSeconds: number): Promise<MemoryAtRest> {
  await deleteEverything(server.client);
  for (const end = performance.now() + restSeconds * 1000; performance.now() < end; await pause(HEARTBEAT_MS))
    await beat(server.client);
  const measured: MemoryAtRest[] = [];
  for (let measurement = 0; measurement < MEASUREMENTS; measurement++) measured.push(await measure(server));
  return measured.reduce((least, each) => (each.dataMiB < least.dataMiB ? each : least));
}

async function beat(client: AdminClient): Promise<void> {
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "heartbeat" },
    data: { at: String(performance.now()) },
  };
  const { status } = await client.request("PATCH", `${HEARTBEAT}?fieldManager=soak`, object, APPLY);
  if (status >= 300) throw new Error(`a write at rest got the status ${status}`);
}

/** Deletes all objects. Cycles that were interrupted by the end of a run also leave some. */
async function deleteEverything(client: AdminClient): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; ; await pause(200)) {
    const left = await leftovers(client);
    if (left.length === 0) return;
    if (performance.now() > end) throw new Error(`not deleted after ${PATIENCE_MS / 1000} s: ${left.join(", ")}`);
    for (const path of left) await client.request("DELETE", path);
  }
}

/** Returns the paths of objects that runs created. */
export async function leftovers(client: AdminClient): Promise<string[]> {
  const isOurs = (name: string): boolean => /^soak($|-)/.test(name) || name.endsWith(`.${GROUP}`);
  const paths: string[] = [];
  for (const collection of [WEBHOOKS, DEFINITIONS, NAMESPACES]) {
    const { items } = (await client.request("GET", collection)).body as { items: { metadata: { name: string } }[] };
    paths.push(
      ...items
        .map(({ metadata }) => metadata.name)
        .filter(isOurs)
        .map((name) => `${collection}/${name}`),
    );
  }
  return paths;
}

/** Returns the current measurement of the probe in the server. */
async function measure(server: ServerProcess): Promise<MemoryAtRest> {
  const before = liveMemoryOf(server.log).length;
  process.kill(server.pid, "SIGUSR2");
  for (;;) {
    await pause(100);
    const measured = liveMemoryOf(server.log)[before];
    if (measured !== undefined) return { dataMiB: measured.liveMiB - measured.codeMiB, codeMiB: measured.codeMiB };
  }
}
