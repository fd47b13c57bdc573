/** The watchers of a fan-out, in a thread of their own: who writes does not wait until they have read. */
import { request } from "node:https";
import { parentPort, Worker, workerData } from "node:worker_threads";
import type { Target } from "./server-process.ts";

/** Where the names of what is watched begin. */
export const WATCHED = "watched-";

/** When each watcher saw what, in milliseconds since the epoch. */
export interface Arrivals {
  readonly byName: ReadonlyMap<string, readonly number[]>;
  readonly perWatcher: readonly number[];
}

interface Task {
  readonly url: string;
  readonly options: Pick<Target, "headers" | "tls">;
  readonly watchers: number;
}

/** How many events are waited for, and how long. */
interface Wait {
  readonly events: number;
  readonly limitMs: number;
}

/** Milliseconds since the epoch, the same in all threads. */
export function wallClock(): number {
  return performance.timeOrigin + performance.now();
}

/** Many watches of one address, read as fast as one thread can. */
export class Watchers {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Resolves when every watch is established. `{}` in the path is the number of the watcher. */
  static async open(target: Target, path: string, watchers: number): Promise<Watchers> {
    const { url, headers, tls } = target;
    const task: Task = { url: url + path, options: { headers, tls }, watchers };
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    const opened = new Watchers(worker);
    await opened.#answer();
    return opened;
  }

  /** Resolves once that many events came, or nothing more is waited for. */
  async until(events: number, limitMs: number): Promise<void> {
    this.#worker.postMessage({ events, limitMs } satisfies Wait);
    await this.#answer();
  }

  /** What came so far. */
  async arrivals(): Promise<Arrivals> {
    this.#worker.postMessage("tell");
    return (await this.#answer()) as Arrivals;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #answer(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#worker.once("error", reject);
      this.#worker.once("message", (answer) => {
        this.#worker.off("error", reject);
        resolve(answer);
      });
    });
  }
}

const LOOK_EVERY_MS = 5;
/** More handshakes at a time would not be faster, and some would time out. */
const OPENED_AT_ONCE = 32;

async function watchAll({ url, options, watchers }: Task): Promise<void> {
  const byName = new Map<string, number[]>();
  const perWatcher: number[] = new Array(watchers).fill(0);
  let seen = 0;
  const watcher = (index: number) =>
    openWatch(url.replace("{}", String(index)), options, (name) => {
      const times = byName.get(name);
      if (times === undefined) byName.set(name, [wallClock()]);
      else times.push(wallClock());
      perWatcher[index]!++;
      seen++;
    });
  let next = 0;
  const opener = async () => {
    while (next < watchers) await watcher(next++);
  };
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, opener));
  parentPort?.on("message", async (asked: Wait | "tell") => {
    if (asked === "tell") return parentPort?.postMessage({ byName, perWatcher } satisfies Arrivals);
    const deadline = performance.now() + asked.limitMs;
    while (seen < asked.events && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    parentPort?.postMessage("came");
  });
  parentPort?.postMessage("open");
}

/** Calls back with the name in each event; resolves when the watch is established. */
function openWatch(url: string, { headers, tls }: Task["options"], onEvent: (name: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, ...tls, agent: false }, (response) => {
      let rest = "";
      response.setEncoding("latin1");
      response.on("data", (chunk: string) => {
        rest = readNames(rest + chunk, onEvent);
      });
      response.on("error", () => undefined);
      resolve();
    });
    sent.on("error", reject);
    sent.end();
  });
}

const BEGINNING = `"name":"${WATCHED}`;

/** Finds the name in each whole line; returns what follows the last one. */
function readNames(text: string, onEvent: (name: string) => void): string {
  const end = text.lastIndexOf("\n") + 1;
  for (let line = 0; line < end; line = text.indexOf("\n", line) + 1) {
    const found = text.indexOf(BEGINNING, line);
    if (found === -1 || found >= end) break;
    line = found;
    const start = found + BEGINNING.length - WATCHED.length;
    onEvent(text.slice(start, text.indexOf('"', start)));
  }
  return text.slice(end);
}

if (parentPort !== null) await watchAll(workerData as Task);
