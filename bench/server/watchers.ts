/** The watchers of a fan-out, in a separate thread, so that the writer need not wait for their reads. */
import { once } from "node:events";
import type { SocketConstructorOpts } from "node:net";
import { type ConnectionOptions, connect } from "node:tls";
import { parentPort, Worker, workerData } from "node:worker_threads";
import type { Target } from "./server-process.ts";

/** Prefix of the names of watched objects. */
export const WATCHED = "watched-";

/** Arrival times of events, in milliseconds since the epoch, and the number of events per watcher. */
export interface Arrivals {
  readonly byName: ReadonlyMap<string, readonly number[]>;
  readonly perWatcher: readonly number[];
}

interface Task {
  readonly url: string;
  readonly options: Pick<Target, "headers" | "tls">;
  readonly watchers: number;
}

/** Number of events to wait for, and the time limit. */
interface Wait {
  readonly events: number;
  readonly limitMs: number;
}

/** Returns milliseconds since the epoch, comparable between threads. */
export function wallClock(): number {
  return performance.timeOrigin + performance.now();
}

/** Many watches of one URL, read as fast as one thread can. */
export class Watchers {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Resolves when every watch is established. `{}` in the path is replaced by the number of the watcher. */
  static async open(target: Target, path: string, watchers: number): Promise<Watchers> {
    const { url, headers, tls } = target;
    const task: Task = { url: url + path, options: { headers, tls }, watchers };
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    const opened = new Watchers(worker);
    await opened.#answer();
    return opened;
  }

  /** Resolves when this number of events has arrived, or at the time limit. */
  async until(events: number, limitMs: number): Promise<void> {
    this.#worker.postMessage({ events, limitMs } satisfies Wait);
    await this.#answer();
  }

  /** Returns the arrivals so far. */
  async arrivals(): Promise<Arrivals> {
    this.#worker.postMessage("tell");
    return (await this.#answer()) as Arrivals;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Returns the next message of the thread. Rejects if the thread fails. */
  async #answer(): Promise<unknown> {
    const [answer] = await once(this.#worker, "message");
    return answer;
  }
}

const LOOK_EVERY_MS = 5;
/** More concurrent handshakes would not be faster, and some would time out. */
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

/** Receives the data of all connections, one after the other. */
const READ_BUFFER = Buffer.alloc(256 * 1024);

/**
 * Calls back with the name in each event. Resolves when the watch is established. Reads the bytes of the connection directly, without Node's
 * HTTP client and without streams: otherwise the reading thread would need more processor time than the writing server.
 */
function openWatch(url: string, { headers, tls }: Task["options"], onEvent: (name: string) => void): Promise<void> {
  const { hostname, port, host, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    let isOpen = false;
    let rest: Buffer | undefined;
    const read = (bytes: Buffer): void => {
      const text = rest === undefined ? bytes : Buffer.concat([rest, bytes]);
      if (!isOpen) {
        const end = text.indexOf("\r\n\r\n");
        if (end !== -1 && !text.toString("latin1", 0, end).startsWith("HTTP/1.1 200 ")) {
          reject(new Error(`no watch: ${text.toString("latin1", 0, end)}`));
          socket.destroy();
          return;
        }
        isOpen = end !== -1;
        if (isOpen) resolve();
      }
      const whole = isOpen ? readNames(text, onEvent) : 0;
      // The remaining bytes are copied, because the buffer is reused.
      rest = whole === text.length ? undefined : Buffer.from(text.subarray(whole));
    };
    const options: ConnectionOptions & Pick<SocketConstructorOpts, "onread"> = {
      ...tls,
      host: hostname,
      port: Number(port || 443),
      ALPNProtocols: ["http/1.1"],
      onread: {
        buffer: READ_BUFFER,
        callback: (length) => {
          read(READ_BUFFER.subarray(0, length));
          return true;
        },
      },
    };
    const socket = connect(options);
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the connection was closed")));
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`);
  });
}

const BEGINNING = Buffer.from(`"name":"${WATCHED}`);
const LINE_END = 10;
const QUOTE = 34;

/** Finds the name in each complete line. Returns the offset behind the last one. */
function readNames(text: Buffer, onEvent: (name: string) => void): number {
  const end = text.lastIndexOf(LINE_END) + 1;
  for (let line = 0; line < end; line = text.indexOf(LINE_END, line) + 1) {
    const found = text.indexOf(BEGINNING, line);
    if (found === -1 || found >= end) break;
    line = found;
    const start = found + BEGINNING.length - WATCHED.length;
    onEvent(text.toString("latin1", start, text.indexOf(QUOTE, start)));
  }
  return end;
}

if (parentPort !== null) await watchAll(workerData as Task);
