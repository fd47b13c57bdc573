/** A least and a greatest amount, of cost or of size. Amounts beyond 64 bits stay at the largest. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** As large as amounts get: what Kubernetes shows for the unbounded. */
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
