/** An operation that is performed at a fixed rate, whether or not previous calls have completed. */
export interface Operation {
  readonly name: string;
  readonly perSecond: number;
  /** Maximum latency at p99. */
  readonly limitMs: number;
  readonly call: (index: number) => Promise<unknown>;
}

export interface SteadyResult {
  readonly name: string;
  readonly limitMs: number;
  /** Target rate and achieved rate, in calls per second. */
  readonly asked: number;
  readonly perSecond: number;
  /** Milliseconds from the time at which a call was due to its completion, including delays before it was sent. */
  readonly latencies: readonly number[];
  /** Latencies of the calls that were due in the first minute. */
  readonly firstMinute: readonly number[];
  /** Maximum latency of the calls that were due in each second of the run. */
  readonly longest: readonly number[];
  readonly failures: readonly string[];
}

const TICK_MS = 5;
const MINUTE_MS = 60_000;

/** Runs all operations concurrently for some seconds, then waits for open calls. */
export async function runSteadily(operations: readonly Operation[], seconds: number): Promise<SteadyResult[]> {
  const began = performance.now();
  return await Promise.all(operations.map((operation) => runOne(operation, began, seconds)));
}

async function runOne(operation: Operation, began: number, seconds: number): Promise<SteadyResult> {
  const { name, perSecond, limitMs, call } = operation;
  const latencies: number[] = [];
  const firstMinute: number[] = [];
  const longest = Array.from({ length: Math.ceil(seconds) }, () => 0);
  const failures: string[] = [];
  const open = new Set<Promise<void>>();
  const count = Math.max(1, Math.floor(perSecond * seconds));
  const one = async (index: number, due: number): Promise<void> => {
    try {
      await call(index);
      const latency = performance.now() - due;
      latencies.push(latency);
      if (due < began + MINUTE_MS) firstMinute.push(latency);
      const second = Math.floor((due - began) / 1000);
      longest[second] = Math.max(longest[second] ?? 0, latency);
    } catch (error) {
      failures.push((error as Error).message);
    }
  };
  for (let index = 0; index < count; ) {
    const now = performance.now();
    for (
      let due = began + (index * 1000) / perSecond;
      index < count && due <= now;
      due = began + (index * 1000) / perSecond
    ) {
      const calling = one(index++, due).finally(() => open.delete(calling));
      open.add(calling);
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  await Promise.all(open);
  const elapsed = Math.max(seconds, (performance.now() - began) / 1000);
  const answered = latencies.length / elapsed;
  return { name, limitMs, asked: perSecond, perSecond: answered, latencies, firstMinute, longest, failures };
}
