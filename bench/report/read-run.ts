/** A figure that has a limit. */
export interface JudgedFigure {
  readonly name: string;
  /** Ratio of value to limit, or of limit to value if higher values are better. Up to 1, the limit is met. */
  readonly share: number;
  readonly ok: boolean;
}

/** Reads a committed run of the benchmarks (`bench/results/latest.md`), the source of every figure in documents and charts. */
export class BenchmarkRun {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the cell "value" of a row in a section; undefined if the run has no such row. */
  measured(section: string, what: string): string | undefined {
    const [, rows = ""] = this.#text.split(`\n## ${section}\n`);
    const row = rows
      .split("\n## ")[0]
      ?.split("\n")
      .find((line) => line.startsWith(`| ${what} |`));
    return row?.split("|")[2]?.trim();
  }

  /** Returns the requests per second of a row such as `2,543 /s`, or `0.559 CPU ms (1.08 as measured, 1027/s)`. */
  perSecond(section: string, what: string): number | undefined {
    const text = this.measured(section, what);
    return text === undefined ? undefined : numberIn(/([\d.,]+)\/s\)/.exec(text)?.[1] ?? text);
  }

  /** Returns the requests per second as documents show them. */
  rate(section: string, what: string): string | undefined {
    const perSecond = this.perSecond(section, what);
    return perSecond === undefined ? undefined : shownRate(perSecond);
  }

  /** Returns all figures that have a limit. */
  judged(): JudgedFigure[] {
    return this.#text.split("\n").flatMap((line) => {
      const [, name = "", value = "", , ratio = "", bar = "", verdict = ""] = line
        .split("|")
        .map((cell) => cell.trim());
      const [, sign, limit = ""] = /^([≤≥]) ([\d.]+)$/.exec(bar) ?? [];
      if (sign === undefined) return [];
      const figure = numberIn(ratio === "" ? value : ratio);
      const share = sign === "≤" ? figure / (Number(limit) || 1) : Number(limit) / figure;
      return [{ name, share, ok: verdict.startsWith("ok") }];
    });
  }

  number(section: string, what: string): number | undefined {
    const text = this.measured(section, what);
    return text === undefined ? undefined : numberIn(text);
  }
}

export function shownRate(perSecond: number): string {
  if (Number.isInteger(perSecond)) return perSecond.toLocaleString("en");
  return perSecond >= 10 ? Math.round(perSecond).toLocaleString("en") : perSecond.toFixed(1);
}

function numberIn(text: string): number {
  return Number.parseFloat(text.replaceAll(",", ""));
}
