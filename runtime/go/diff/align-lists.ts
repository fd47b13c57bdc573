export type Likeness = "same" | "alike" | "other";

type Pair<T> = readonly [x: T | undefined, y: T | undefined];

/** Costs of the alignment: a changed item costs less than a removed and an inserted one together, but more than either alone. */
const CHANGED = 3;
const ALONE = 2;

/**
 * Limits the work of aligning lists, over all lists of a comparison. The best alignment compares every pair of items; once the budget is
 * used up, items are paired by index instead (`pairByPlace`).
 */
export class AlignmentBudget {
  #pairs = 40_000;

  allows(pairs: number): boolean {
    this.#pairs -= pairs;
    return this.#pairs >= 0;
  }
}

/** Pairs items by index. Items that are too different become a removed and an inserted item. */
export function pairByPlace<T>(xs: readonly T[], ys: readonly T[], likeness: (x: T, y: T) => Likeness): Pair<T>[] {
  const pairs: Pair<T>[] = [];
  for (let index = 0; index < Math.max(xs.length, ys.length); index++) {
    const [x, y] = [xs[index], ys[index]];
    if (x === undefined || y === undefined || likeness(x, y) !== "other") pairs.push([x, y]);
    else pairs.push([x, undefined], [undefined, y]);
  }
  return pairs;
}

/** Aligns two lists at the least cost, where equal items cost nothing. Items without a counterpart are paired with undefined. */
export function alignLists<T>(xs: readonly T[], ys: readonly T[], likeness: (x: T, y: T) => Likeness): Pair<T>[] {
  const memory = xs.map((x) => ys.map((y) => likeness(x, y)));
  const costs: number[][] = Array.from({ length: xs.length + 1 }, () => new Array<number>(ys.length + 1).fill(0));
  const paired = (i: number, j: number) => {
    const how = memory[i]?.[j] ?? "other";
    return how === "other" ? Number.POSITIVE_INFINITY : costs[i + 1]![j + 1]! + (how === "same" ? 0 : CHANGED);
  };
  for (let i = xs.length; i >= 0; i--) {
    for (let j = ys.length; j >= 0; j--) {
      if (i === xs.length || j === ys.length) costs[i]![j] = ALONE * (xs.length - i + (ys.length - j));
      else costs[i]![j] = Math.min(paired(i, j), costs[i + 1]![j]! + ALONE, costs[i]![j + 1]! + ALONE);
    }
  }
  const pairs: Pair<T>[] = [];
  let [i, j] = [0, 0];
  while (i < xs.length || j < ys.length) {
    if (i < xs.length && j < ys.length && paired(i, j) === costs[i]![j]) pairs.push([xs[i++], ys[j++]]);
    else if (i < xs.length && costs[i]![j] === costs[i + 1]![j]! + ALONE) pairs.push([xs[i++], undefined]);
    else pairs.push([undefined, ys[j++]]);
  }
  return pairs;
}
