import { alignLists } from "./align-lists.ts";

/** A section of two aligned sequences: either equal in both, or what the first has and what the second has instead. */
export interface Run<T> {
  readonly same: boolean;
  readonly xs: readonly T[];
  readonly ys: readonly T[];
}

/** If aligning needs more pairs than this, everything between the common prefix and the common suffix counts as changed. */
const MOST_PAIRS = 250_000;

/**
 * Splits two sequences into equal and changed runs. An equal run of up to `gap` items between two changes that together remove and
 * insert items is merged with them into one change.
 */
export function cutIntoRuns<T>(xs: readonly T[], ys: readonly T[], gap: number): Run<T>[] {
  const start = commonStart(xs, ys);
  const end = commonEnd(xs.slice(start), ys.slice(start));
  const [left, right] = [xs.slice(start, xs.length - end), ys.slice(start, ys.length - end)];
  const runs: Run<T>[] = [];
  push(runs, { same: true, xs: xs.slice(0, start), ys: ys.slice(0, start) });
  if (left.length * right.length > MOST_PAIRS) push(runs, { same: false, xs: left, ys: right });
  else
    for (const [x, y] of alignLists(left, right, (a, b) => (a === b ? "same" : "other")))
      push(runs, {
        same: x !== undefined && y !== undefined,
        xs: x === undefined ? [] : [x],
        ys: y === undefined ? [] : [y],
      });
  push(runs, { same: true, xs: xs.slice(xs.length - end), ys: ys.slice(ys.length - end) });
  return tidy(bridge(runs, gap));
}

/** Appends a run, or extends the last run if both are equal or both are changed. */
function push<T>(runs: Run<T>[], run: Run<T>): void {
  if (run.xs.length === 0 && run.ys.length === 0) return;
  const last = runs.at(-1);
  if (last?.same !== run.same) runs.push({ same: run.same, xs: [...run.xs], ys: [...run.ys] });
  else {
    // The lists were copied when the run was added, so they can be extended in place.
    for (const x of run.xs) (last.xs as T[]).push(x);
    for (const y of run.ys) (last.ys as T[]).push(y);
  }
}

function join<T>(a: Run<T>, b: Run<T>): Run<T> {
  return { same: a.same && b.same, xs: [...a.xs, ...b.xs], ys: [...a.ys, ...b.ys] };
}

function bridge<T>(runs: readonly Run<T>[], gap: number): Run<T>[] {
  const bridged: Run<T>[] = [];
  for (const run of runs) {
    const [before, between] = bridged.slice(-2);
    const isBetween = !run.same && before?.same === false && between?.same === true;
    if (isBetween && between.xs.length <= gap && replaces(before, run))
      bridged.splice(-2, 2, join(join(before, between), run));
    else bridged.push(run);
  }
  return bridged;
}

/** Whether two changes together remove items and insert items. */
function replaces<T>(a: Run<T>, b: Run<T>): boolean {
  return (a.xs.length > 0 || b.xs.length > 0) && (a.ys.length > 0 || b.ys.length > 0);
}

/** Moves the common prefix and suffix of the two sides of a changed run to the equal runs around it. */
function tidy<T>(runs: readonly Run<T>[]): Run<T>[] {
  const tidied: Run<T>[] = [];
  for (const run of runs) {
    if (run.same) {
      push(tidied, run);
      continue;
    }
    const start = commonStart(run.xs, run.ys);
    const [xs, ys] = [run.xs.slice(start), run.ys.slice(start)];
    const end = commonEnd(xs, ys);
    push(tidied, { same: true, xs: run.xs.slice(0, start), ys: run.ys.slice(0, start) });
    push(tidied, { same: false, xs: xs.slice(0, xs.length - end), ys: ys.slice(0, ys.length - end) });
    push(tidied, { same: true, xs: xs.slice(xs.length - end), ys: ys.slice(ys.length - end) });
  }
  return tidied;
}

function commonStart<T>(xs: readonly T[], ys: readonly T[]): number {
  let count = 0;
  while (count < xs.length && count < ys.length && xs[count] === ys[count]) count++;
  return count;
}

function commonEnd<T>(xs: readonly T[], ys: readonly T[]): number {
  let count = 0;
  while (count < xs.length && count < ys.length && xs.at(-1 - count) === ys.at(-1 - count)) count++;
  return count;
}
