import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { percentile } from "../measurement.ts";
import { Client } from "../server/load.ts";
import type { Report } from "../server/measure-server.ts";
import { cpuMs, startServer, type Target } from "../server/server-process.ts";
import { fillDataFile, NAMESPACES, nameOf, namespaceOf, objectsIn } from "./fill-data-file.ts";

const ALL = "/api/v1/configmaps";
const PAGE = 500;
const GETS = 2000;
const UPDATES = 200;
const SAMPLE_MS = 200;
/** Memory of the server other than the bytes of objects: code, object headers, and garbage. */
const OTHER_MIB = 400;
const HEADER_BYTES = 1000;

export interface LargeFileOptions {
  /** Total size of all objects. */
  readonly bytes: number;
  /** `--watch-cache-bytes`. */
  readonly cacheMiB: number;
  /** Reused if it contains a data file, and kept. Defaults to a temporary directory. */
  readonly directory?: string | undefined;
  /** Maximum number of pages to list. Defaults to all. */
  readonly pages?: number | undefined;
}

/**
 * Measures a server with more data than it can keep in memory: start, pages of all objects, watches, gets, a selector, and the deletion of a
 * namespace.
 */
export async function measureLargeFile(options: LargeFileOptions, report: Report): Promise<void> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), "typeplane-large-"));
  const objects = objectsIn(options.bytes);
  const headersMiB = (objects * HEADER_BYTES) / 2 ** 20;
  try {
    const file = join(directory, "data.mdb");
    if (!existsSync(file)) {
      const seconds = await fillDataFile(directory, options.bytes);
      report({ name: `fill with ${objects} ConfigMaps of 20 KB`, value: objects / seconds, unit: "objects/s" });
    }
    report({ name: "data file", value: statSync(file).size / 2 ** 30, unit: "GiB" });
    const target = await startServer({
      dataDir: directory,
      probe: true,
      // Keeps history long enough to read all pages at one revision, even on a busy machine.
      flags: [`--watch-cache-bytes=${options.cacheMiB * 2 ** 20}`, "--etcd-compaction-interval=1h"],
      environment: { NODE_OPTIONS: `--max-old-space-size=${Math.ceil(1024 + headersMiB)}` },
    });
    const memory = new MemoryGauge(target);
    try {
      report({ name: "start", value: target.startMs, unit: "ms" });
      report({ name: "anonymous memory after the start", value: memory.now(), unit: "MiB" });
      await measureReads(target, { objects, pages: options.pages }, memory, report);
      await measureWrites(target, objects, memory, report);
      const most = options.cacheMiB * 2 + OTHER_MIB + headersMiB;
      report({ name: "most anonymous memory", value: memory.most, unit: "MiB", bar: { atMost: Math.round(most) } });
    } finally {
      memory.stop();
      await target.stop();
    }
  } finally {
    if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
  }
}

async function measureReads(
  target: Target,
  { objects, pages: mostPages = Number.POSITIVE_INFINITY }: { objects: number; pages: number | undefined },
  memory: MemoryGauge,
  report: Report,
): Promise<void> {
  const client = new Client(target);
  const step = steps(target, memory, report);
  await step("first page, which loads the headers of all objects", () => firstPage(client));
  let found = 0;
  const pages: number[] = [];
  const listed = mostPages * PAGE < objects ? `${mostPages * PAGE} objects` : "everything";
  await step(`list ${listed} in pages of ${PAGE}`, async () => {
    for (let token: string | undefined = ""; token !== undefined && pages.length < mostPages; ) {
      const began = performance.now();
      const page: Page = await list(client, `${ALL}?limit=${PAGE}&continue=${token}`);
      pages.push(performance.now() - began);
      found += page.items;
      token = page.continue;
    }
  });
  if (found < Math.min(objects, mostPages * PAGE)) throw new Error(`the pages held ${found} of ${objects} objects`);
  report({ name: "  a page, median", value: percentile(pages, 0.5), unit: "ms" });
  report({ name: "  a page, p99", value: percentile(pages, 0.99), unit: "ms" });
  const gets: number[] = [];
  await step(`${GETS} gets of random objects`, async () => {
    for (let count = 0; count < GETS; count++) {
      const index = Math.floor(Math.random() * objects);
      const began = performance.now();
      const body = await client.send({ path: pathOf(index) });
      gets.push(performance.now() - began);
      if (!body.includes(`"number":"${index}"`)) throw new Error(`${pathOf(index)} is another object`);
    }
  });
  report({ name: "  a get, median", value: percentile(gets, 0.5), unit: "ms" });
  report({ name: "  a get, p99", value: percentile(gets, 0.99), unit: "ms" });
  const selected = `${ALL}?labelSelector=tier%3Drare`;
  await step("list one in 1,000 by label, first time", () => client.drain({ path: selected }));
  await step("list one in 1,000 by label, again", () => client.drain({ path: selected }));
  client.close();
}

async function measureWrites(target: Target, objects: number, memory: MemoryGauge, report: Report): Promise<void> {
  const client = new Client(target);
  const step = steps(target, memory, report);
  for (let index = 0; index < NAMESPACES; index++) {
    const body = JSON.stringify({ metadata: { name: namespaceOf(index) } });
    // The namespaces exist if the directory was used before.
    await client.send({ method: "POST", path: "/api/v1/namespaces", body }).catch(() => undefined);
  }
  const { resourceVersion } = await list(client, `${ALL}?limit=1`);
  const watch = await openWatch(target, `${ALL}?watch=1&resourceVersion=${resourceVersion}`);
  await step(`${UPDATES} updates of random objects, watched`, async () => {
    for (let count = 0; count < UPDATES; count++) {
      const path = pathOf(Math.floor(Math.random() * objects));
      const headers = { "content-type": "application/merge-patch+json" };
      await client.send({ method: "PATCH", path, headers, body: JSON.stringify({ data: { changed: `${count}` } }) });
    }
    await watch.until(UPDATES);
  });
  const namespace = namespaceOf(0);
  const before = await list(client, `/api/v1/namespaces/${namespace}/configmaps?limit=1`);
  const deleted = before.items + before.remaining;
  await step(`delete the collection of one namespace, ${deleted} objects, watched`, async () => {
    await client.drain({ method: "DELETE", path: `/api/v1/namespaces/${namespace}/configmaps` });
    await watch.until(UPDATES + deleted);
  });
  watch.close();
  const after = await list(client, `/api/v1/namespaces/${namespace}/configmaps?limit=1`);
  // A controller creates kube-root-ca.crt again.
  if (after.items > 1 || deleted < Math.floor(objects / NAMESPACES))
    throw new Error(`${deleted} objects were deleted and ${after.items} are left`);
  client.close();
}

function pathOf(index: number): string {
  return `/api/v1/namespaces/${namespaceOf(index)}/configmaps/${nameOf(index)}`;
}

/** Returns a function that measures one step: time, CPU time, event loop delays, and memory. */
function steps(target: Target, memory: MemoryGauge, report: Report) {
  return async (name: string, work: () => Promise<unknown>): Promise<void> => {
    await target.eventLoopDelay?.();
    const [began, cpu] = [performance.now(), cpuMs(target.pids)];
    memory.restart();
    await work();
    const seconds = (performance.now() - began) / 1000;
    report({ name, value: seconds, unit: `s (${((cpuMs(target.pids) - cpu) / 1000).toFixed(1)} s of CPU)` });
    const longest = (await target.eventLoopDelay?.())?.longest ?? 0;
    report({ name: "  longest turn of the event loop", value: longest, unit: "ms" });
    report({ name: "  most anonymous memory", value: memory.mostOfStep, unit: "MiB" });
  };
}

/** Retries, because loading may take longer than the request timeout. */
async function firstPage(client: Client): Promise<void> {
  for (;;) {
    try {
      await list(client, `${ALL}?limit=1`);
      return;
    } catch (error) {
      if (!(error as Error).message.includes(": 504 ")) throw error;
    }
  }
}

interface Page {
  readonly items: number;
  readonly remaining: number;
  readonly resourceVersion: string;
  readonly continue: string | undefined;
}

/** Extracts the needed parts of a page without parsing megabytes. */
async function list(client: Client, path: string): Promise<Page> {
  const body = await client.send({ path });
  const head = body.subarray(0, body.indexOf('"items":')).toString();
  const { metadata } = JSON.parse(`${head.slice(0, head.lastIndexOf(","))}}`) as {
    metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
  };
  let items = 0;
  for (let at = body.indexOf('"uid":'); at >= 0; at = body.indexOf('"uid":', at + 1)) items++;
  const { resourceVersion, remainingItemCount: remaining = 0 } = metadata;
  return { items, remaining, resourceVersion, continue: metadata.continue };
}

interface OpenWatch {
  /** Resolves when this number of events has arrived. */
  until(events: number): Promise<void>;
  close(): void;
}

function openWatch(target: Target, path: string): Promise<OpenWatch> {
  return new Promise((resolve, reject) => {
    let events = 0;
    let wake = (): void => undefined;
    let failure: Error | undefined;
    const sent = request(target.url + path, { headers: target.headers, ...target.tls }, (response) => {
      response.on("data", (chunk: Buffer) => {
        for (let at = chunk.indexOf("\n"); at >= 0; at = chunk.indexOf("\n", at + 1)) events++;
        wake();
      });
      response.on("close", () => {
        failure = new Error(`the watch ended after ${events} events`);
        wake();
      });
      resolve({
        async until(wanted) {
          while (events < wanted) {
            if (failure !== undefined) throw failure;
            await new Promise<void>((resume) => {
              wake = resume;
            });
          }
        },
        close: () => sent.destroy(),
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** Measures anonymous memory, which cannot be written back to a file. The system can evict cached pages of the data file at any time. */
class MemoryGauge {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  most = 0;
  mostOfStep = 0;

  constructor({ pids }: Target) {
    this.#pid = pids[0] as number;
    this.#timer = setInterval(() => this.now(), SAMPLE_MS);
  }

  now(): number {
    const kilobytes = Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${this.#pid}/status`, "utf8"))?.[1] ?? 0);
    this.most = Math.max(this.most, kilobytes / 1024);
    this.mostOfStep = Math.max(this.mostOfStep, kilobytes / 1024);
    return kilobytes / 1024;
  }

  restart(): void {
    this.mostOfStep = 0;
    this.now();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
