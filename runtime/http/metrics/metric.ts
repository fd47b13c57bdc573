/** One family of samples in the text format of Prometheus. */
export interface Metric {
  readonly name: string;
  /** The family as text; `note` goes before its help: how firmly it is promised, and until when. */
  expose(note?: string): string;
}

function formatLabels(names: readonly string[], values: readonly string[], extra = ""): string {
  const pairs = names.map((name, index) => `${name}="${escapeLabel(values[index] ?? "")}"`);
  if (extra !== "") {
    pairs.push(extra);
  }
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
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
    this.#sample(values).value += amount;
  }

  set(value: number, ...values: readonly string[]): void {
    this.#sample(values).value = value;
  }

  expose(note = ""): string {
    let text = header(this.name, `${note}${this.#help}`, this.#type);
    for (const { values, value } of this.#samples.values()) {
      text += `${this.name}${formatLabels(this.#labels, values)} ${value}\n`;
    }
    return text;
  }

  #sample(values: readonly string[]): { value: number } {
    const key = values.join("\u0000");
    let sample = this.#samples.get(key);
    if (sample === undefined) {
      sample = { values, value: 0 };
      this.#samples.set(key, sample);
    }
    return sample;
  }
}

/** How often values fell below each bound, per combination of labels. */
export class Histogram implements Metric {
  readonly name: string;
  readonly #help: string;
  readonly #labels: readonly string[];
  readonly #bounds: readonly number[];
  readonly #samples = new Map<
    string,
    { readonly values: readonly string[]; readonly counts: number[]; sum: number; count: number }
  >();

  constructor(name: string, help: string, labels: readonly string[], bounds: readonly number[]) {
    this.name = name;
    this.#help = help;
    this.#labels = labels;
    this.#bounds = bounds;
  }

  observe(value: number, ...values: readonly string[]): void {
    const key = values.join("\u0000");
    let sample = this.#samples.get(key);
    if (sample === undefined) {
      sample = { values, counts: new Array<number>(this.#bounds.length).fill(0), sum: 0, count: 0 };
      this.#samples.set(key, sample);
    }
    const index = this.#bounds.findIndex((bound) => value <= bound);
    if (index >= 0) {
      sample.counts[index] = (sample.counts[index] ?? 0) + 1;
    }
    sample.sum += value;
    sample.count += 1;
  }

  expose(note = ""): string {
    let text = header(this.name, `${note}${this.#help}`, "histogram");
    for (const { values, counts, sum, count } of this.#samples.values()) {
      let running = 0;
      for (const [index, bound] of this.#bounds.entries()) {
        running += counts[index] ?? 0;
        text += `${this.name}_bucket${formatLabels(this.#labels, values, `le="${bound}"`)} ${running}\n`;
      }
      text += `${this.name}_bucket${formatLabels(this.#labels, values, 'le="+Inf"')} ${count}\n`;
      text += `${this.name}_sum${formatLabels(this.#labels, values)} ${sum}\n`;
      text += `${this.name}_count${formatLabels(this.#labels, values)} ${count}\n`;
    }
    return text;
  }
}
