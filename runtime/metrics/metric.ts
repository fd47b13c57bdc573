import { goFloat } from "../go/float.ts";

/** One family of samples in the text format of Prometheus. */
export interface Metric {
  readonly name: string;
  /** The family as text; `note` goes before its help: how firmly it is promised, and until when. */
  expose(note?: string): string;
  /** The same in pieces of a bounded size, for families that are long. */
  exposeParts?(note?: string): Iterable<string>;
  /** Drops the series of objects that do not exist any more. Called after the family was shown. */
  sweep?(): void;
  /** Says of series that another process counted which are of objects that exist; undefined if all are. */
  liveSeries?(): AreLive | undefined;
}

/** Whether what named a series still exists. */
export type IsLive<T> = (labels: readonly string[], sample: T) => boolean;
type AreLive = (labels: readonly string[]) => boolean;

/** So many series are not worth a look at each of them. */
export const LEAST_TO_SWEEP = 200;

/** Combinations of labels in one piece. */
const PART_SAMPLES = 20;
/** The same of metrics that have one line for each combination. */
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
 * A family with a sample for each combination of labels. Where clients choose labels, such as the names of webhooks, `keepWhile` says
 * which are still in use: others are dropped by `sweep`, and as soon as there are twice as many as the last one left. So a client cannot
 * fill memory with names, whether or not metrics are read.
 */
abstract class Family<T extends { readonly values: readonly string[] }> {
  readonly name: string;
  protected readonly help: string;
  protected readonly labels: readonly string[];
  readonly #samples = new Map<string, T>();
  #live: (() => AreLive) | undefined;
  /** Whether others sweep it. */
  #isSwept = false;
  #sweepAt = LEAST_TO_SWEEP;

  constructor(name: string, help: string, labels: readonly string[]) {
    this.name = name;
    this.help = help;
    this.labels = labels;
  }

  protected abstract create(values: readonly string[]): T;

  /** The sample of one combination of labels, for callers that change it often. */
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

  /** `live` is called once for each sweep. Samples that callers keep must be those of objects that exist. */
  keepWhile(live: () => AreLive): void {
    this.#live = live;
  }

  /** As `keepWhile`, for a family whose owner drops the series of this process itself, with `retain`. */
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

/** A number per combination of labels: a counter only grows, a gauge goes both ways. */
export class NumberMetric extends Family<NumberSample> implements Metric {
  readonly #type: "counter" | "gauge";

  constructor(type: "counter" | "gauge", name: string, help: string, labels: readonly string[] = []) {
    super(name, help, labels);
    this.#type = type;
  }

  protected create(values: readonly string[]): NumberSample {
    return { values, value: 0 };
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

/** How often values fell below each bound, per combination of labels. */
export class Histogram extends Family<Distribution> implements Metric {
  readonly #bounds: readonly number[];

  constructor(name: string, help: string, labels: readonly string[], bounds: readonly number[]) {
    super(name, help, labels);
    this.#bounds = bounds;
  }

  protected create(values: readonly string[]): Distribution {
    return new Distribution(values, this.#bounds);
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
    // Labels are written once for all bounds: a server has tens of thousands of these lines.
    // As Go writes floats: labels must be the same text wherever they come from.
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

/** The values of one combination of labels. */
export class Distribution {
  readonly values: readonly string[];
  /** How many fell between each bound and the one before. */
  readonly counts: number[];
  readonly #bounds: readonly number[];
  sum = 0;
  count = 0;

  constructor(values: readonly string[], bounds: readonly number[]) {
    this.values = values;
    this.#bounds = bounds;
    this.counts = new Array<number>(bounds.length).fill(0);
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
