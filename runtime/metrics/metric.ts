import { goFloat } from "../go/float.ts";

/** One family of samples in the text format of Prometheus. */
export interface Metric {
  readonly name: string;
  /** The family as text; `note` goes before its help: how firmly it is promised, and until when. */
  expose(note?: string): string;
  /** The same in pieces of a bounded size, for families that are long. */
  exposeParts?(note?: string): Iterable<string>;
}

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

/** A number per combination of labels: a counter only grows, a gauge goes both ways. */
export class NumberMetric implements Metric {
  readonly name: string;
  readonly #help: string;
  readonly #type: "counter" | "gauge";
  readonly #labels: readonly string[];
  readonly #samples = new Map<string, { readonly values: readonly string[]; value: number }>();

  constructor(type: "counter" | "gauge", name: string, help: string, labels: readonly string[] = []) {
    this.#type = type;
    this.name = name;
    this.#help = help;
    this.#labels = labels;
  }

  add(amount: number, ...values: readonly string[]): void {
    this.of(...values).value += amount;
  }

  set(value: number, ...values: readonly string[]): void {
    this.of(...values).value = value;
  }

  clear(): void {
    this.#samples.clear();
  }

  /** The number of one combination of labels, for callers that change it often. */
  of(...values: readonly string[]): { value: number } {
    const key = values.join("\u0000");
    let sample = this.#samples.get(key);
    if (sample === undefined) {
      sample = { values, value: 0 };
      this.#samples.set(key, sample);
    }
    return sample;
  }

  expose(note = ""): string {
    return [...this.exposeParts(note)].join("");
  }

  *exposeParts(note = ""): Generator<string> {
    let text = header(this.name, `${note}${this.#help}`, this.#type);
    let samples = 0;
    for (const { values, value } of this.#samples.values()) {
      text += `${this.name}${formatLabels(this.#labels, values)} ${value}\n`;
      if (++samples % PART_LINES === 0) {
        yield text;
        text = "";
      }
    }
    yield text;
  }
}

/** How often values fell below each bound, per combination of labels. */
export class Histogram implements Metric {
  readonly name: string;
  readonly #help: string;
  readonly #labels: readonly string[];
  readonly #bounds: readonly number[];
  readonly #samples = new Map<string, Distribution>();

  constructor(name: string, help: string, labels: readonly string[], bounds: readonly number[]) {
    this.name = name;
    this.#help = help;
    this.#labels = labels;
    this.#bounds = bounds;
  }

  observe(value: number, ...values: readonly string[]): void {
    this.of(...values).observe(value);
  }

  /** The values of one combination of labels, for callers that have many. */
  of(...values: readonly string[]): Distribution {
    const key = values.join("\u0000");
    let sample = this.#samples.get(key);
    if (sample === undefined) {
      sample = new Distribution(values, this.#bounds);
      this.#samples.set(key, sample);
    }
    return sample;
  }

  expose(note = ""): string {
    return [...this.exposeParts(note)].join("");
  }

  *exposeParts(note = ""): Generator<string> {
    let text = header(this.name, `${note}${this.#help}`, "histogram");
    let samples = 0;
    // Labels are written once for all bounds: a server has tens of thousands of these lines.
    // As Go writes floats: labels must be the same text wherever they come from.
    const bounds = this.#bounds.map(goFloat);
    for (const { values, counts, sum, count } of this.#samples.values()) {
      const pairs = formatPairs(this.#labels, values);
      const bucket = `${this.name}_bucket{${pairs}${pairs === "" ? "" : ","}le="`;
      const labels = pairs === "" ? "" : `{${pairs}}`;
      let running = 0;
      for (const [index, bound] of bounds.entries()) {
        running += counts[index] ?? 0;
        text += `${bucket}${bound}"} ${running}\n`;
      }
      text += `${bucket}+Inf"} ${count}\n${this.name}_sum${labels} ${sum}\n${this.name}_count${labels} ${count}\n`;
      if (++samples % PART_SAMPLES === 0) {
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
