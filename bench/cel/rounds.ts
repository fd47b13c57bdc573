/** Calls per second of several functions that are compared. */
export type Rates<Name extends string> = Readonly<Record<Name, number>>;

const ROUNDS = 15;
const WARM_UP = 20_000;

/**
 * Returns the calls per second of each function: the median of many short rounds. The functions take turns, so that other load on the machine
 * slows all of them alike. Throws if one of them does not return true.
 */
export function ratesSideBySide<Name extends string>(
  functions: Readonly<Record<Name, () => unknown>>,
  milliseconds: number,
): Rates<Name> {
  const contestants = (Object.entries(functions) as [Name, () => unknown][]).map(([name, run]) => {
    const batch = batchOf(run);
    batch(WARM_UP);
    // A batch takes about a fifth of a round, so that the clock is rarely read and rounds stay short.
    const size = Math.max(100, Math.round((callsIn(batch, 2, 1000) / 2) * (milliseconds / 5)));
    return { name, batch, size, samples: [] as number[] };
  });
  for (let round = 0; round < ROUNDS; round++)
    for (const { batch, size, samples } of contestants) {
      const started = performance.now();
      const calls = callsIn(batch, milliseconds, size);
      samples.push((calls / (performance.now() - started)) * 1000);
    }
  return Object.fromEntries(contestants.map(({ name, samples }) => [name, median(samples)])) as Rates<Name>;
}

/** Creates a separate loop for each function, so that V8 inlines each function as in real use. */
function batchOf(run: () => unknown): (count: number) => void {
  const loop = new Function(
    "run",
    `return (count) => { let held = 0; for (let i = 0; i < count; i++) if (run() === true) held++; return held; };`,
  )(run) as (count: number) => number;
  return (count) => {
    if (loop(count) !== count) throw new Error("the rule does not hold");
  };
}

function callsIn(batch: (count: number) => void, milliseconds: number, size: number): number {
  const started = performance.now();
  let calls = 0;
  do {
    batch(size);
    calls += size;
  } while (performance.now() - started < milliseconds);
  return calls;
}

function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
