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

/** Long enough that beginning and ending, when fewer are in flight, count little. */
const SHORTEST_SLICE = 50;
const SLICES = 40;

/** A client with its own connections, kept alive. */
export class Client {
  readonly target: Target;
  readonly #agent: Agent;

  constructor(target: Target, connections = 64) {
    this.target = target;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, ...target.tls });
  }

  /** Sends one request and reads the whole answer; refuses anything but 2xx. */
  send(call: Call): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const headers: Record<string, string> = { ...this.target.headers, ...call.headers };
      if (call.body !== undefined) headers["content-type"] ??= "application/json";
      const sent = request(
        this.target.url + call.path,
        { method: call.method ?? "GET", agent: this.#agent, headers },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
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

/** Runs `count` pieces of work, `inFlight` at a time, and says what one of them costs the server. */
export async function load(
  client: Client,
  count: number,
  inFlight: number,
  work: (index: number) => Promise<unknown>,
): Promise<LoadResult> {
  const meter = new CostMeter(client.target);
  const size = inFlight === 1 ? 1 : Math.max(SHORTEST_SLICE, Math.ceil(count / SLICES));
  let seconds = 0;
  for (let start = 0; start < count; start += size) {
    const end = Math.min(count, start + size);
    await meter.slice(end - start, async () => {
      let next = start;
      const worker = async () => {
        while (next < end) await work(next++);
      };
      const started = performance.now();
      await Promise.all(Array.from({ length: Math.min(inFlight, end - start) }, worker));
      seconds += (performance.now() - started) / 1000;
    });
  }
  return { perSecond: count / seconds, cost: meter.cost() };
}
