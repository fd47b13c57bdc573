import { Agent, request } from "node:https";
import { type Cost, CostMeter } from "./cost-meter.ts";
import type { Target } from "./server-process.ts";

/** One request of a load. */
export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly cost: Cost;
}

/** Minimum calls per slice, so that the start and end, with fewer calls in flight, have little effect. */
const SHORTEST_SLICE = 50;
const SLICES = 40;

/** A client with its own keep-alive connections. */
export class Client {
  readonly target: Target;
  readonly #agent: Agent;

  constructor(target: Target, connections = 64) {
    this.target = target;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, ...target.tls });
  }

  /** Sends one request and reads the whole response. Rejects if the status is not 2xx. */
  send(call: Call): Promise<Buffer> {
    return this.#exchange(call, true);
  }

  /** Like `send`, without keeping the body: lists of a large cluster take hundreds of megabytes. */
  async drain(call: Call): Promise<void> {
    await this.#exchange(call, false);
  }

  #exchange(call: Call, keeps: boolean): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const headers: Record<string, string> = { ...this.target.headers, ...call.headers };
      if (call.body !== undefined) headers["content-type"] ??= "application/json";
      const sent = request(
        this.target.url + call.path,
        { method: call.method ?? "GET", agent: this.#agent, headers },
        (response) => {
          const chunks: Buffer[] = [];
          const refused = (response.statusCode ?? 0) >= 300;
          response.on("data", (chunk: Buffer) => {
            if (keeps || refused) chunks.push(chunk);
          });
          response.on("error", reject);
          response.on("end", () => {
            const body = Buffer.concat(chunks);
            const status = response.statusCode ?? 0;
            if (status >= 200 && status < 300) resolve(body);
            else
              reject(
                new Error(`${call.method ?? "GET"} ${call.path}: ${status} ${body.toString("utf8").slice(0, 300)}`),
              );
          });
        },
      );
      sent.on("error", reject);
      sent.end(call.body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** A number of calls, with limited concurrency. */
export interface Load {
  readonly count: number;
  readonly inFlight: number;
  readonly work: (index: number) => Promise<unknown>;
}

/** Makes `count` calls, `inFlight` at a time. Returns the rate and what one call costs the server. */
export async function load(
  client: Client,
  count: number,
  inFlight: number,
  work: (index: number) => Promise<unknown>,
): Promise<LoadResult> {
  const [result] = await loadInTurn(client, [{ count, inFlight, work }]);
  return result as LoadResult;
}

/**
 * Like `load`, for several loads, which take turns slice by slice. Other activity on the machine then affects all loads alike, and each load
 * also has unaffected slices.
 */
export async function loadInTurn(client: Client, loads: readonly Load[]): Promise<LoadResult[]> {
  const running = loads.map((each) => new RunningLoad(client, each));
  for (let left = true; left; ) {
    left = false;
    for (const each of running) left = (await each.slice()) || left;
  }
  return running.map((each) => each.result());
}

class RunningLoad {
  readonly #load: Load;
  readonly #size: number;
  readonly #meter: CostMeter;
  #done = 0;
  #seconds = 0;

  constructor(client: Client, load: Load) {
    this.#load = load;
    this.#size = load.inFlight === 1 ? 1 : Math.max(SHORTEST_SLICE, Math.ceil(load.count / SLICES));
    this.#meter = new CostMeter(client.target);
  }

  /** Runs one slice. Returns whether more are left. */
  async slice(): Promise<boolean> {
    const { count, inFlight, work } = this.#load;
    let next = this.#done;
    const end = Math.min(count, next + this.#size);
    if (next === end) return false;
    const calls = end - next;
    await this.#meter.slice(calls, async () => {
      const worker = async () => {
        while (next < end) await work(next++);
      };
      const started = performance.now();
      await Promise.all(Array.from({ length: Math.min(inFlight, calls) }, worker));
      this.#seconds += (performance.now() - started) / 1000;
    });
    this.#done = end;
    return end < count;
  }

  result(): LoadResult {
    return { perSecond: this.#load.count / this.#seconds, cost: this.#meter.cost() };
  }
}
