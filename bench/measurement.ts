/** One line of the bench's table. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same done with the least possible, measured in the same run. */
  readonly baseline?: { readonly name: string; readonly value: number };
  /** What the project asks of the value, or of the ratio to the baseline when there is one. */
  readonly bar?: { readonly atLeast: number } | { readonly atMost: number };
  /** Why the value may mislead. */
  readonly warning?: string;
}

/** The number the bar is about. */
export function judged({ value, baseline }: Measurement): number {
  return baseline === undefined ? value : value / baseline.value;
}

export function meetsBar(measurement: Measurement): boolean {
  const { bar } = measurement;
  if (bar === undefined) return true;
  const number = judged(measurement);
  return "atLeast" in bar ? number >= bar.atLeast : number <= bar.atMost;
}

/** Three digits that matter, thousands set apart. */
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

/** The value below which a share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** What two sides that are compared came to, one right after the other. */
export type Turn = readonly [value: number, baseline: number];

/** The half of what was measured that was disturbed least. */
export function calmestHalf<T>(measured: readonly T[], disturbance: (one: T) => number): readonly T[] {
  return measured.toSorted((a, b) => disturbance(a) - disturbance(b)).slice(0, Math.ceil(measured.length / 2));
}

/** The turn whose ratio is the median of all. */
export function medianTurn(turns: readonly Turn[]): Turn {
  const sorted = [...turns].sort(([a, b], [c, d]) => a / b - c / d);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("no turns to choose from");
  return middle;
}
