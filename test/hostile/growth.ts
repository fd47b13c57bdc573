import { expect } from "vitest";
import { threadCpuMs } from "../tools/thread-cpu.ts";

export interface GrowthOptions {
  /** Size of the small input. The large one is four times as large. Choose it so that one run takes milliseconds. */
  readonly size?: number;
  /** Maximum CPU time in milliseconds for the large input, independent of the small one. */
  readonly boundMs?: number;
}

/** Maximum ratio. Linear growth is 4, n log n a little more, quadratic 16. The margin is for caches that overflow and for the garbage collector. */
const MAX_RATIO = 9;
/** Minimum CPU time for a meaningful ratio. Below it, timers, the compiler and the garbage collector dominate. */
const NOISE_MS = 50;
const RUNS = 15;

/**
 * Fails if `run` takes clearly more than linear time in the size of its input, or more than an absolute limit. Measures CPU time of this
 * thread, so that other load has no effect, and uses the fastest of several runs. An error that `run` throws is part of the work (most
 * hostile input is rejected) unless it is out of stack or memory.
 *
 *     await expectLinear((n) => "a".repeat(n), (text) => parse(text));
 */
export async function expectLinear<T>(
  makeInput: (size: number) => T,
  run: (input: T) => unknown,
  { size = 20_000, boundMs = 2000 }: GrowthOptions = {},
): Promise<void> {
  const large = makeInput(4 * size);
  // Most inputs are so fast that the first run decides, although it includes compilation. Only an input that takes too long is run again.
  const cold = await timeOf(large, run);
  const first = cold < boundMs ? cold : Math.min(cold, await timeOf(large, run));
  expect(first, `CPU time in ms for an input of size ${4 * size}`).toBeLessThan(boundMs);
  let after = first;
  let before = Number.POSITIVE_INFINITY;
  // Created only if needed: most inputs need no comparison.
  let small: T | undefined;
  for (let i = 0; i < RUNS && isAboveLinear(before, after); i++) {
    small ??= makeInput(size);
    before = Math.min(before, await timeOf(small, run));
    after = Math.min(after, await timeOf(large, run));
  }
  const shown = `${before.toFixed(1)} ms for size ${size}, ${after.toFixed(1)} ms for size ${4 * size}`;
  expect(isAboveLinear(before, after), `grows faster than linearly: ${shown}`).toBe(false);
}

function isAboveLinear(before: number, after: number): boolean {
  if (after < NOISE_MS) return false;
  return !Number.isFinite(before) || after / Math.max(before, NOISE_MS / MAX_RATIO) > MAX_RATIO;
}

/** Returns the CPU time of this thread in milliseconds. */
async function timeOf<T>(input: T, run: (input: T) => unknown): Promise<number> {
  const start = threadCpuMs();
  try {
    await run(input);
  } catch (error) {
    if (error instanceof RangeError && /call stack|Array buffer|string length/i.test(error.message)) throw error;
  }
  return threadCpuMs() - start;
}
