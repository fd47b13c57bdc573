/** Revisions kept; enough for the writes of a minute in a test. */
const KEPT = 512;

/** Revisions that were the present one not long ago. */
export class PastRevisions {
  readonly #maxAgeMs: number;
  readonly #now: () => number;
  readonly #seen: { readonly revision: number; readonly time: number }[] = [];

  /** Older ones than `maxAgeMs` may be compacted away. */
  constructor(maxAgeMs: number, now: () => number) {
    this.#maxAgeMs = maxAgeMs;
    this.#now = now;
  }

  /** Notes the present revision. */
  note(revision: number): void {
    if (this.#seen.at(-1)?.revision === revision) return;
    this.#seen.push({ revision, time: this.#now() });
    if (this.#seen.length > KEPT) this.#seen.shift();
  }

  /** One of them, `position` from 0 to 1; undefined if none is older than the last noted. */
  at(position: number): number | undefined {
    const oldest = this.#now() - this.#maxAgeMs;
    const past = this.#seen.slice(0, -1).filter(({ time }) => time > oldest);
    return past[Math.floor(position * past.length)]?.revision;
  }
}
