import { type Distribution, Histogram, type Metric } from "./metric.ts";

const NANOSECONDS_PER_MILLISECOND = 1e6;

/**
 * A histogram of a value over time: it counts the nanoseconds for which the value was below each bound, as if observed at the end of each nanosecond.
 */
export class TimingHistogram implements Metric {
  readonly name: string;
  readonly #histogram: Histogram;
  readonly #bounds: readonly number[];
  readonly #gauges = new Map<string, TimedValue>();
  readonly #now: () => number;

  /** `now` is in milliseconds of a monotonic clock. */
  constructor(
    name: string,
    help: string,
    labels: readonly string[],
    { bounds, now }: { readonly bounds: readonly number[]; readonly now: () => number },
  ) {
    this.name = name;
    this.#bounds = bounds;
    this.#now = now;
    this.#histogram = new Histogram(name, help, labels, bounds);
  }

  /** Returns the value for one combination of labels. */
  of(...values: readonly string[]): TimedValue {
    const key = values.join("\u0000");
    let gauge = this.#gauges.get(key);
    if (gauge === undefined) {
      gauge = new TimedValue(this.#histogram.of(...values), this.#bounds, this.#now());
      this.#gauges.set(key, gauge);
    }
    return gauge;
  }

  retainedWhile(live: () => (labels: readonly string[]) => boolean): void {
    this.#histogram.retainedWhile(live);
  }

  liveSeries(): ReturnType<Histogram["liveSeries"]> {
    return this.#histogram.liveSeries();
  }

  retain(isLive: (values: readonly string[]) => boolean): void {
    this.#histogram.retain(isLive);
    for (const [key, { labels }] of this.#gauges) if (!isLive(labels)) this.#gauges.delete(key);
  }

  reset(): void {
    this.#countUntilNow();
    this.#histogram.reset();
  }

  expose(note = ""): string {
    this.#countUntilNow();
    return this.#histogram.expose(note);
  }

  #countUntilNow(): void {
    const now = this.#now();
    for (const gauge of this.#gauges.values()) gauge.set(gauge.value, now);
  }
}

/** A value that records how long it stays in each bucket. */
export class TimedValue {
  value = 0;
  readonly #counted: Distribution;
  readonly #bounds: readonly number[];
  #bucket = 0;
  #since: number;

  constructor(counted: Distribution, bounds: readonly number[], now: number) {
    this.#counted = counted;
    this.#bounds = bounds;
    this.#since = now;
  }

  get labels(): readonly string[] {
    return this.#counted.values;
  }

  set(value: number, now: number): void {
    const elapsed = now - this.#since;
    if (elapsed > 0) {
      const nanoseconds = Math.round(elapsed * NANOSECONDS_PER_MILLISECOND);
      const { counts } = this.#counted;
      if (this.#bucket < counts.length) counts[this.#bucket] = (counts[this.#bucket] ?? 0) + nanoseconds;
      this.#counted.count += nanoseconds;
      this.#counted.sum += this.value * nanoseconds;
      this.#since = now;
    }
    if (value === this.value) return;
    this.value = value;
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] ?? 0)) bucket++;
    this.#bucket = bucket;
  }
}
