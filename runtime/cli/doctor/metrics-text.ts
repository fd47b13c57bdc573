export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Parsed metrics in the text format of Prometheus. */
export class MetricsText {
  readonly #samples = new Map<string, Sample[]>();

  constructor(text: string) {
    for (const line of text.split("\n")) {
      const [, name, labels = "", value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === undefined) continue;
      const samples = this.#samples.get(name) ?? [];
      samples.push({ labels: readLabels(labels), value: Number(value) });
      this.#samples.set(name, samples);
    }
  }

  /** Returns the samples of a metric with these labels. */
  of(name: string, labels: Readonly<Record<string, string>> = {}): readonly Sample[] {
    const wanted = Object.entries(labels);
    return (this.#samples.get(name) ?? []).filter((sample) =>
      wanted.every(([label, value]) => sample.labels[label] === value),
    );
  }

  /** Returns the value of the only sample, or the sum of several; undefined if there are none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const samples = this.of(name, labels);
    return samples.length === 0 ? undefined : samples.reduce((sum, { value }) => sum + value, 0);
  }

  /** Returns the increase of a counter since an earlier reading, for each combination of labels with an increase. */
  growth(name: string, earlier: MetricsText, labels: Readonly<Record<string, string>> = {}): Sample[] {
    const keyOf = (sample: Sample): string => JSON.stringify(Object.entries(sample.labels).sort());
    const before = new Map(earlier.of(name, labels).map((sample) => [keyOf(sample), sample.value]));
    return this.of(name, labels)
      .map((sample) => ({ labels: sample.labels, value: sample.value - (before.get(keyOf(sample)) ?? 0) }))
      .filter(({ value }) => value > 0);
  }

  /** Returns the bucket bound of a quantile, over all labels; undefined without values. */
  quantile(name: string, quantile: number): number | undefined {
    const buckets = new Map<number, number>();
    for (const { labels, value } of this.of(`${name}_bucket`)) {
      const bound = labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.le);
      buckets.set(bound, (buckets.get(bound) ?? 0) + value);
    }
    const total = buckets.get(Number.POSITIVE_INFINITY) ?? 0;
    if (total === 0) return undefined;
    const sorted = [...buckets].sort(([a], [b]) => a - b);
    return sorted.find(([, count]) => count >= total * quantile)?.[0];
  }
}

function readLabels(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/(?:^|,)(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value.replace(/\\(.)/g, unescaped)]));
}

function unescaped(_: string, character: string): string {
  return character === "n" ? "\n" : character;
}
