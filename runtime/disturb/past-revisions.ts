/** Maximum number of revisions: enough for the writes of a minute in a test. */
const KEPT = 512;

/** Revisions that were current not long ago. */
export class PastRevisions {
  readonly #maxAgeMs: number;
  readonly #now: () => number;
  readonly #seen: { readonly revision: number; readonly time: number }[] = [];

  /** Revisions older than `maxAgeMs` may already be compacted. */
  constructor(maxAgeMs: number, now: () => number) {
    this.#maxAgeMs = maxAgeMs;
    this.#now = now;
  }

  /** Records the current revision. */
  note(revision: number): void {
    if (this.#seen.at(-1)?.revision === revision) return;
    this.#seen.push({ revision, time: this.#now() });
    if (this.#seen.length > KEPT) this.#seen.shift();
  }

  /** Returns one of them, selected by `position` from 0 to 1; undefined if none is older than the last recorded one. */
  at(position: number): number | undefined {
    const oldest = this.#now() - this.#maxAgeMs;
    const past = this.#seen.slice(0, -1).filter(({ time }) => time > oldest);
    return past[Math.floor(position * past.length)]?.revision;
  }
}
