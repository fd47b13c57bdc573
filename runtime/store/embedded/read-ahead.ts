import type { Batch, ReadAhead, RevisionList } from "./engine.ts";

/** Records that one thread reads into memory in one call. */
const BATCH = 100;
/** Batches read concurrently. Node has four threads, and commits need one. */
const BATCHES = 3;

/** Read-ahead for a file that is larger than memory. `prefetch` makes one thread read records into memory. */
export class FileReadAhead implements ReadAhead {
  readonly #prefetch: (revisions: readonly number[]) => Promise<void>;

  constructor(prefetch: (revisions: readonly number[]) => Promise<void>) {
    this.#prefetch = prefetch;
  }

  /** Returns a list in the order of writes, which is roughly their order in the file: one disk read brings in several records. */
  newList(): RevisionList {
    return new SortedRevisions();
  }

  *batches(revisions: Iterable<number>): Iterable<Batch> {
    const begun: Batch[] = [];
    let batch: number[] = [];
    for (const revision of revisions) {
      batch.push(revision);
      if (batch.length < BATCH) continue;
      begun.push({ revisions: batch, ready: this.#prefetch(batch) });
      batch = [];
      if (begun.length === BATCHES) yield begun.shift() as Batch;
    }
    yield* begun;
    if (batch.length > 0) yield { revisions: batch, ready: this.#prefetch(batch) };
  }

  async all(revisions: readonly number[]): Promise<void> {
    const length = Math.ceil(revisions.length / BATCHES);
    const parts = Array.from({ length: BATCHES }, (_, index) => revisions.slice(index * length, (index + 1) * length));
    await Promise.all(parts.map(this.#prefetch));
  }
}

/** Revisions sorted in one step, which takes about a millisecond. */
const RUN = 16_384;

/** A sorted run, and the index of its next revision. */
interface Run {
  readonly revisions: Float64Array;
  next: number;
}

/** Yields revisions in ascending order and stores eight bytes for each. Runs are sorted as they fill up, and merged during iteration. */
export class SortedRevisions implements RevisionList {
  readonly #runs: Run[] = [];
  #unsorted: number[] = [];

  add(revision: number): void {
    this.#unsorted.push(revision);
    if (this.#unsorted.length === RUN) this.#endRun();
  }

  addSuperseded(revision: number): void {
    this.add(revision);
  }

  *[Symbol.iterator](): Iterator<number> {
    this.#endRun();
    const runs = this.#runs;
    // A binary heap: the first revision of each run is not lower than that of the run at half its index.
    for (let place = runs.length >> 1; place >= 0; place--) sink(runs, place);
    let last = Number.NaN;
    for (let run = runs[0]; run !== undefined; run = runs[0]) {
      const revision = first(run);
      run.next += 1;
      if (run.next === run.revisions.length) {
        const end = runs.pop() as Run;
        if (end !== run) runs[0] = end;
      }
      sink(runs, 0);
      if (revision !== last) yield revision;
      last = revision;
    }
  }

  #endRun(): void {
    if (this.#unsorted.length > 0) this.#runs.push({ revisions: Float64Array.from(this.#unsorted).sort(), next: 0 });
    this.#unsorted = [];
  }
}

function first({ revisions, next }: Run): number {
  return revisions[next] as number;
}

function sink(runs: Run[], from: number): void {
  const run = runs[from];
  if (run === undefined) return;
  let place = from;
  for (let child = 2 * place + 1; child < runs.length; child = 2 * place + 1) {
    const [left, right] = [runs[child] as Run, runs[child + 1]];
    const isRight = right !== undefined && first(right) < first(left);
    const lower = isRight ? right : left;
    if (first(run) <= first(lower)) break;
    runs[place] = lower;
    place = isRight ? child + 1 : child;
  }
  runs[place] = run;
}
