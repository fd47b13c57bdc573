import { droppedDuring } from "../server/cache-drops.ts";
import { type Call, Client } from "../server/load.ts";
import { cpuMs, type StartOptions, startServer } from "../server/server-process.ts";
import type { Curve, Point, Series } from "./curve.ts";

const IN_FLIGHT = 8;
/** Number of rounds. The one with the least processor time counts, because other load on the machine only adds to it. */
const ROUNDS = 4;
const SETTLE_MS = 500;
const SETTLED_SHARE = 0.05;
const LONGEST_SETTLE_MS = 15_000;

/** An operation that is measured at every `x`. */
export interface Growing {
  readonly name: string;
  readonly exponent: Series["exponent"];
  /** Calls per round. */
  readonly count: number;
  readonly inFlight?: number;
  /** `index` is different for each call to the same server; `x` is the current quantity. */
  readonly work: (index: number, x: number) => Promise<unknown>;
}

/** A server that is filled step by step, with measurements after each step. */
export class GrowingServer {
  readonly client: Client;
  readonly #stop: () => Promise<void>;
  #index = 0;

  private constructor(client: Client, stop: () => Promise<void>) {
    this.client = client;
    this.#stop = stop;
  }

  static async run<T>(measure: (server: GrowingServer) => Promise<T>, options?: StartOptions): Promise<T> {
    const target = await startServer(options);
    const server = new GrowingServer(new Client(target, 32), () => target.stop());
    try {
      return await measure(server);
    } finally {
      server.client.close();
      await server.#stop();
    }
  }

  post(path: string, object: object): Promise<Buffer> {
    return this.client.send({ method: "POST", path, body: JSON.stringify(object) });
  }

  mergePatch(path: string, object: object): Promise<Buffer> {
    return this.patch({ path, body: JSON.stringify(object) }, "application/merge-patch+json");
  }

  apply(path: string, manager: string, object: object): Promise<Buffer> {
    const call = { path: `${path}?fieldManager=${manager}&force=true`, body: JSON.stringify(object) };
    return this.patch(call, "application/apply-patch+yaml");
  }

  patch(call: Call, type: string): Promise<Buffer> {
    return this.client.send({ ...call, method: "PATCH", headers: { "content-type": type } });
  }

  /** Calls `work` for every number from `from` up to, but not including, `to`, with limited concurrency. */
  async each(from: number, to: number, work: (index: number) => Promise<unknown>, inFlight = 16): Promise<void> {
    let next = from;
    const worker = async () => {
      while (next < to) await work(next++);
    };
    await Promise.all(Array.from({ length: inFlight }, worker));
  }

  /** Measures all operations at each of `xs`, after `grow` has filled the server. The first calls of each operation do not count. */
  async curve(
    about: Omit<Curve, "series">,
    xs: readonly number[],
    grow: (from: number, to: number) => Promise<unknown>,
    operations: readonly Growing[],
  ): Promise<Curve> {
    const points = operations.map((): Point[] => []);
    const warnings = operations.map((): string[] => []);
    let reached = 0;
    for (const x of xs) {
      await grow(reached, x);
      if (reached === 0) for (const operation of operations) await this.#round(operation, x, 3);
      reached = x;
      await this.#settle();
      for (const [place, operation] of operations.entries()) {
        const { result, warning } = await droppedDuring(this.client, () => this.#least(operation, x));
        points[place]?.push({ x, cpuMs: result });
        if (warning !== undefined) warnings[place]?.push(`with ${x}: ${warning}`);
      }
    }
    const series = operations.map(({ name, exponent }, place) => ({
      name,
      exponent,
      points: points[place] ?? [],
      ...(warnings[place]?.length && { warning: warnings[place]?.join("; ") }),
    }));
    return { ...about, series };
  }

  async #least(operation: Growing, x: number): Promise<number> {
    const { pids } = this.client.target;
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++) {
      const before = cpuMs(pids);
      await this.#round(operation, x);
      least = Math.min(least, (cpuMs(pids) - before) / operation.count);
    }
    return least;
  }

  async #round({ count, inFlight = IN_FLIGHT, work }: Growing, x: number, times = 1): Promise<void> {
    const from = this.#index;
    this.#index += count * times;
    await this.each(from, this.#index, (index) => work(index, x), inFlight);
  }

  /** Waits until the server is idle, because controllers process what was created. */
  async #settle(): Promise<void> {
    const { pids } = this.client.target;
    const deadline = performance.now() + LONGEST_SETTLE_MS;
    for (;;) {
      const before = cpuMs(pids);
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      if (cpuMs(pids) - before < SETTLE_MS * SETTLED_SHARE || performance.now() > deadline) return;
    }
  }
}
