import type { Measurement } from "../measurement.ts";

/** What an operation cost with `x` objects, kilobytes, watchers …. */
export interface Point {
  readonly x: number;
  /** Milliseconds of the server's processor time for one operation. */
  readonly cpuMs: number;
}

/** How the cost of one operation grows. */
export interface Series {
  readonly name: string;
  /** 0: the cost should not depend on `x`; 1: it may grow in proportion to `x`. */
  readonly exponent: 0 | 1;
  readonly points: readonly Point[];
  /** Caches of the server that were full during a measurement. */
  readonly warning?: string;
}

/** Operations that are measured with the same numbers of something. */
export interface Curve {
  /** `objects`, in names of files. */
  readonly id: string;
  readonly title: string;
  /** What is counted: `ConfigMaps`, `KB of data`. */
  readonly counted: string;
  readonly series: readonly Series[];
}

/** Costs of one operation differ by as much between two runs on a machine that does other work beside. */
const TOLERANCE = 1.6;

/** The last point beside the one before it: a cost that grows faster than its exponent allows misses its limit. */
export function steepness({ counted }: Curve, { name, exponent, points, warning }: Series): Measurement {
  const [before, last] = points.slice(-2);
  if (before === undefined || last === undefined) throw new Error(`${name} was measured only once`);
  return {
    name: `${name}, ${last.x.toLocaleString("en")} ${counted}`,
    value: last.cpuMs,
    unit: "CPU ms",
    baseline: { name: `with ${before.x.toLocaleString("en")}`, value: before.cpuMs },
    bar: { atMost: Number(((last.x / before.x) ** exponent * TOLERANCE).toPrecision(2)) },
    ...(warning !== undefined && { warning }),
  };
}
