/** One row of the benchmark table. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same task done with the minimum of work, measured in the same run. */
  readonly baseline?: { readonly name: string; readonly value: number };
  /** Limit of the value, or of the ratio to the baseline if there is one. */
  readonly bar?: { readonly atLeast: number } | { readonly atMost: number };
  /** Reason why the value may be misleading. */
  readonly warning?: string;
}

/** Returns the number to which the limit applies. */
export function judged({ value, baseline }: Measurement): number {
  return baseline === undefined ? value : value / baseline.value;
}

export function meetsBar(measurement: Measurement): boolean {
  const { bar } = measurement;
  if (bar === undefined) return true;
  const number = judged(measurement);
  return "atLeast" in bar ? number >= bar.atLeast : number <= bar.atMost;
}

/** Formats a number with three significant digits and thousands separators. */
export function formatNumber(figure: number): string {
  return figure >= 100 ? Math.round(figure).toLocaleString("en") : figure.toPrecision(3);
}

export function formatMeasurement(measurement: Measurement): string {
  const { name, value, unit, baseline, bar, warning } = measurement;
  const beside =
    baseline === undefined
      ? ""
      : `  (${baseline.name}: ${formatNumber(baseline.value)}; ratio ${judged(measurement).toFixed(2)})`;
  const verdict = bar === undefined ? "" : `  ${meetsBar(measurement) ? "ok" : "MISSED"} ${JSON.stringify(bar)}`;
  const caution = warning === undefined ? "" : `  (warning: ${warning})`;
  return `${name.padEnd(58)} ${formatNumber(value).padStart(10)} ${unit}${beside}${verdict}${caution}`;
}

/** Returns the value below which the given share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Results of two compared sides, measured directly after one another. */
export type Turn = readonly [value: number, baseline: number];

/** Returns the half of the measurements with the least disturbance. */
export function calmestHalf<T>(measured: readonly T[], disturbance: (one: T) => number): readonly T[] {
  return measured.toSorted((a, b) => disturbance(a) - disturbance(b)).slice(0, Math.ceil(measured.length / 2));
}

/** Returns the turn with the median ratio. */
export function medianTurn(turns: readonly Turn[]): Turn {
  const sorted = [...turns].sort(([a, b], [c, d]) => a / b - c / d);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("no turns to choose from");
  return middle;
}
