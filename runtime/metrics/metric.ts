import { goFloat } from "../go/float.ts";

/** One family of samples in the text format of Prometheus. */
export interface Metric {
  readonly name: string;
  /** Returns the family in text format. `note` precedes its help text: its stability level, and its deprecation. */
  expose(note?: string): string;
  /** Returns the same text in parts of bounded size, for large families. */
  exposeParts?(note?: string): Iterable<string>;
  /** Drops the series of objects that no longer exist. Called after the family was exposed. */
  sweep?(): void;
  /** Resets the counts to zero. Like in Kubernetes, gauges and metrics without labels keep their values. */
  reset?(): void;
  /** Returns a predicate that tells, for series of another process, whether their objects exist; undefined if all do. */
  liveSeries?(): AreLive | undefined;
}

/** Whether the object that a series names still exists. */
export type IsLive<T> = (labels: readonly string[], sample: T) => boolean;
type AreLive = (labels: readonly string[]) => boolean;

/** A family with fewer series than this is not swept automatically. */
export const LEAST_TO_SWEEP = 200;

/** Number of label combinations per part. */
const PART_SAMPLES = 20;
/** Number of label combinations per part for metrics with one line each. */
const PART_LINES = 500;

function formatLabels(names: readonly string[], values: readonly string[]): string {
  return names.length === 0 ? "" : `{${formatPairs(names, values)}}`;
}

function formatPairs(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => `${name}="${escapeLabel(values[index] ?? "")}"`).join(",");
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === "\n" ? "\\n" : `\\${character}`));
}

function header(name: string, help: string, type: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

/**
 * A family with one sample per combination of labels. If clients choose label values, such as names of webhooks, `keepWhile` defines which ones are
 * still in use. The others are dropped by `sweep`, and also when the number of samples has doubled since the last sweep. So a client cannot fill
 * memory with names, even if metrics are never read.
 */
abstract class Family<T extends { readonly values: readonly string[] }> {
  readonly name: string;
  protected readonly help: string;
  protected readonly labels: readonly string[];
  readonly #samples = new Map<string, T>();
  #live: (() => AreLive) | undefined;
  /** Whether the owner sweeps it. */
  #isSwept = false;
  #sweepAt = LEAST_TO_SWEEP;

  constructor(name: string, help: string, labels: readonly string[]) {
    this.name = name;
    this.help = help;
    this.labels = labels;
  }

  protected abstract create(values: readonly string[]): T;

  /** Resets a sample to its initial values. Callers may hold a reference to it. */
  protected abstract restart(sample: T): void;

  /** Returns the sample of one combination of labels, for callers that change it often. */
  of(...values: readonly string[]): T {
    const key = values.join("\u0000");
    let sample = this.#samples.get(key);
    if (sample === undefined) {
      if (this.#samples.size >= this.#sweepAt) this.sweep();
      sample = this.create(values);
      this.#samples.set(key, sample);
    }
    return sample;
  }

  /** Sets a predicate for samples to keep. `live` is called once per sweep. Callers may only hold samples of existing objects. */
  keepWhile(live: () => AreLive): void {
    this.#live = live;
  }

  /** Like `keepWhile`, for a family whose owner calls `retain` to drop the series of this process. */
  retainedWhile(live: () => AreLive): void {
    this.#live = live;
    this.#isSwept = true;
  }

  sweep(): void {
    if (this.#live !== undefined && !this.#isSwept && this.#samples.size > 0) this.retain(this.#live());
  }

  liveSeries(): AreLive | undefined {
    return this.#live?.();
  }

  retain(isLive: IsLive<T>): void {
    for (const [key, sample] of this.#samples) if (!isLive(sample.values, sample)) this.#samples.delete(key);
    this.#sweepAt = Math.max(LEAST_TO_SWEEP, 2 * this.#samples.size);
  }

  reset(): void {
    if (this.labels.length > 0) for (const sample of this.#samples.values()) this.restart(sample);
  }

  clear(): void {
    this.#samples.clear();
  }

  samples(): Iterable<T> {
    return this.#samples.values();
  }
}

interface NumberSample {
  readonly values: readonly string[];
  value: number;
}

/** A number per combination of labels. A counter only increases; a gauge may also decrease. */
export class NumberMetric extends Family<NumberSample> implements Metric {
  readonly #type: "counter" | "gauge";

  constructor(type: "counter" | "gauge", name: string, help: string, labels: readonly string[] = []) {
    super(name, help, labels);
    this.#type = type;
  }

  protected create(values: readonly string[]): NumberSample {
    return { values, value: 0 };
  }

  protected restart(sample: NumberSample): void {
    if (this.#type === "counter") sample.value = 0;
  }

  add(amount: number, ...values: readonly string[]): void {
    this.of(...values).value += amount;
  }

  set(value: number, ...values: readonly string[]): void {
    this.of(...values).value = value;
  }

  expose(note = ""): string {
    return [...this.exposeParts(note)].join("");
  }

  *exposeParts(note = ""): Generator<string> {
    let text = header(this.name, `${note}${this.help}`, this.#type);
    let written = 0;
    for (const { values, value } of this.samples()) {
      text += `${this.name}${formatLabels(this.labels, values)} ${value}\n`;
      if (++written % PART_LINES === 0) {
        yield text;
        text = "";
      }
    }
    yield text;
  }
}

/** A histogram of values per combination of labels. */
export class Histogram extends Family<Distribution> implements Metric {
  readonly #bounds: readonly number[];

  constructor(name: string, help: string, labels: readonly string[], bounds: readonly number[]) {
    super(name, help, labels);
    this.#bounds = bounds;
  }

  protected create(values: readonly string[]): Distribution {
    return new Distribution(values, this.#bounds);
  }

  protected restart(sample: Distribution): void {
    sample.restart();
  }

  observe(value: number, ...values: readonly string[]): void {
    this.of(...values).observe(value);
  }

  expose(note = ""): string {
    return [...this.exposeParts(note)].join("");
  }

  *exposeParts(note = ""): Generator<string> {
    let text = header(this.name, `${note}${this.help}`, "histogram");
    let written = 0;
    // Labels are formatted once for all bounds: a server exposes tens of thousands of these lines. Bounds are formatted like floats in Go: labels
    // must be equal wherever they are written.
    const bounds = this.#bounds.map(goFloat);
    for (const { values, counts, sum, count } of this.samples()) {
      const pairs = formatPairs(this.labels, values);
      const bucket = `${this.name}_bucket{${pairs}${pairs === "" ? "" : ","}le="`;
      const labels = pairs === "" ? "" : `{${pairs}}`;
      let running = 0;
      for (const [index, bound] of bounds.entries()) {
        running += counts[index] ?? 0;
        text += `${bucket}${bound}"} ${running}\n`;
      }
      text += `${bucket}+Inf"} ${count}\n${this.name}_sum${labels} ${sum}\n${this.name}_count${labels} ${count}\n`;
      if (++written % PART_SAMPLES === 0) {
        yield text;
        text = "";
      }
    }
    yield text;
  }
}

/** Observed values of one combination of labels. */
export class Distribution {
  readonly values: readonly string[];
  /** Number of values between each bound and the previous one. */
  readonly counts: number[];
  readonly #bounds: readonly number[];
  sum = 0;
  count = 0;

  constructor(values: readonly string[], bounds: readonly number[]) {
    this.values = values;
    this.#bounds = bounds;
    this.counts = new Array<number>(bounds.length).fill(0);
  }

  restart(): void {
    this.counts.fill(0);
    this.sum = 0;
    this.count = 0;
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let index = 0;
    while (index < bounds.length && !(value <= (bounds[index] as number))) index++;
    if (index < bounds.length) this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += value;
    this.count += 1;
  }
}
