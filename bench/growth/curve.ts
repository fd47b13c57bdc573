import type { Measurement } from "../measurement.ts";

/** Cost of an operation with `x` objects, kilobytes, watchers …. */
export interface Point {
  readonly x: number;
  /** Processor time of the server for one operation, in milliseconds. */
  readonly cpuMs: number;
}

/** Growth of the cost of one operation. */
export interface Series {
  readonly name: string;
  /** 0: the cost should not depend on `x`; 1: the cost may grow in proportion to `x`. */
  readonly exponent: 0 | 1;
  readonly points: readonly Point[];
  /** Names the caches of the server that were full during a measurement. */
  readonly warning?: string;
}

/** Operations that are measured against the same quantity `x`. */
export interface Curve {
  /** Part of file names, such as `objects`. */
  readonly id: string;
  readonly title: string;
  /** Name of the quantity: `ConfigMaps`, `KB of data`. */
  readonly counted: string;
  readonly series: readonly Series[];
}

/** Factor by which the cost of an operation may differ between two runs on a machine with other load. */
const TOLERANCE = 1.6;

/** Compares the last point with the one before: a cost that grows faster than its exponent allows misses its limit. */
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
