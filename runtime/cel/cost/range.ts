/** Minimum and maximum of a cost or a size. Larger values than 64 bits are clamped to the largest. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The maximum cost or size. Kubernetes shows it for unbounded ones. */
export const MAX_AMOUNT = 2 ** 64;

export const NOTHING: Range = { min: 0, max: 0 };
export const UNKNOWN: Range = { min: 0, max: MAX_AMOUNT };
export const fixed = (amount: number): Range => ({ min: amount, max: amount });

const capped = (amount: number): number => Math.min(amount, MAX_AMOUNT);

export function add(...ranges: readonly Range[]): Range {
  let [min, max] = [0, 0];
  for (const range of ranges) [min, max] = [capped(min + range.min), capped(max + range.max)];
  return { min, max };
}

export function multiply(a: Range, b: Range): Range {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

/** The range times a factor, rounded up. */
export function scale(range: Range, factor: number): Range {
  return { min: capped(Math.ceil(range.min * factor)), max: capped(Math.ceil(range.max * factor)) };
}

export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}
