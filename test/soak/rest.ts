import { setTimeout as pause } from "node:timers/promises";
import type { AdminClient } from "../tools/admin-client.ts";
import type { ServerProcess } from "../tools/server-process.ts";
import { DEFINITIONS, GROUP, WEBHOOKS } from "./cycles.ts";
import { liveMemoryOf } from "./run-soak.ts";

const NAMESPACES = "/api/v1/namespaces";
const HEARTBEAT = `${NAMESPACES}/default/configmaps/heartbeat`;
const APPLY = "application/apply-patch+yaml";
/** Old history is dropped when something is written. */
const HEARTBEAT_MS = 1000;
/** How long the deletion of everything may take on a busy machine. */
const PATIENCE_MS = 300_000;
/** The least of some measurements: requests under way and buffers that are still to be freed come on top of it. */
const MEASUREMENTS = 3;

export interface MemoryAtRest {
  /** What is referenced, compiled code apart. */
  readonly dataMiB: number;
  readonly codeMiB: number;
}

/**
 * Deletes everything that `runSoak` made, lets the history of it pass, and returns what a server of `startSoakServer` still references. After one
 * load that must be as much as after another that was longer: unlike a slope, it contains no objects and no history whose size follows the load.
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

/** Cycles that the end of a run interrupted leave something, too. */
async function deleteEverything(client: AdminClient): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; ; await pause(200)) {
    const left = await leftovers(client);
    if (left.length === 0) return;
    if (performance.now() > end) throw new Error(`not deleted after ${PATIENCE_MS / 1000} s: ${left.join(", ")}`);
    for (const path of left) await client.request("DELETE", path);
  }
}

/** Paths of what runs made. */
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

/** What the probe in the server measures now. */
async function measure(server: ServerProcess): Promise<MemoryAtRest> {
  const before = liveMemoryOf(server.log).length;
  process.kill(server.pid, "SIGUSR2");
  for (;;) {
    await pause(100);
    const measured = liveMemoryOf(server.log)[before];
    if (measured !== undefined) return { dataMiB: measured.liveMiB - measured.codeMiB, codeMiB: measured.codeMiB };
  }
}
