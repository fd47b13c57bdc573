import { COMMIT_BOUNDS, type CommitTimes } from "../../contract/disk-use.ts";

/** Counts commits by their duration. */
export class CommitTimer implements CommitTimes {
  readonly counts: number[] = COMMIT_BOUNDS.map(() => 0);
  count = 0;
  sumSeconds = 0;
  failures = 0;

  /** Runs a commit and counts it. */
  async time(commit: () => Promise<void>): Promise<void> {
    const started = performance.now();
    try {
      await commit();
    } catch (error) {
      this.failures += 1;
      throw error;
    } finally {
      this.#observe((performance.now() - started) / 1000);
    }
  }

  #observe(seconds: number): void {
    const bucket = COMMIT_BOUNDS.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.count += 1;
    this.sumSeconds += seconds;
  }
}
