export type Likeness = "same" | "alike" | "other";

type Pair<T> = readonly [x: T | undefined, y: T | undefined];

/** An item that was changed costs less than one taken out and one put in, but more than either. */
const CHANGED = 3;
const ALONE = 2;

/**
 * How much work may go into finding out which items belong together. The best answer takes a look at every pair; where that is too many,
 * over all lists of a comparison, items belong together that stand in the same place.
 */
export class AlignmentBudget {
  #pairs = 40_000;

  allows(pairs: number): boolean {
    this.#pairs -= pairs;
    return this.#pairs >= 0;
  }
}

/** Pairs items by their places; what is too different stands alone. */
export function pairByPlace<T>(xs: readonly T[], ys: readonly T[], likeness: (x: T, y: T) => Likeness): Pair<T>[] {
  const pairs: Pair<T>[] = [];
  for (let index = 0; index < Math.max(xs.length, ys.length); index++) {
    const [x, y] = [xs[index], ys[index]];
    if (x === undefined || y === undefined || likeness(x, y) !== "other") pairs.push([x, y]);
    else pairs.push([x, undefined], [undefined, y]);
  }
  return pairs;
}

/** Which items of two lists belong together, at the least cost; the same item costs nothing. What is left over stands alone. */
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
