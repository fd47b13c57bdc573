import { parseGoInt } from "../../../runtime/go/int.ts";
import { goQuote } from "../../../runtime/go/quote.ts";

/** Range of indexes of an indexed Job, including both ends. */
type Interval = readonly [first: number, last: number];

/** Why a list of indexes such as `1,3-5,7` is invalid. */
export class IndexesError extends Error {
  readonly code = "Indexes";
}

/** Number of indexes in a list; throws an `IndexesError` for a list that is malformed, out of order or out of range. */
export function countIndexes(text: string, completions: number): number {
  let previous: number | undefined;
  let total = 0;
  for (const part of text === "" ? [] : text.split(",")) {
    const [first, last] = parseInterval(part, completions);
    if (previous !== undefined && previous >= first) throw outOfOrder(previous, first);
    total += last - first + 1;
    previous = last;
  }
  return total;
}

/** Returns why a list of indexes is invalid; undefined if it is valid. */
export function indexesProblem(text: string, completions: number): string | undefined {
  try {
    countIndexes(text, completions);
    return undefined;
  } catch (error) {
    if (error instanceof IndexesError) return error.message;
    throw error;
  }
}

/** Returns the first index in both lists. Both are read as if they were in ascending order; invalid parts are ignored. */
export function firstSharedIndex(a: string, b: string, completions: number): number | undefined {
  const [ours, theirs] = [readableIntervals(a, completions), readableIntervals(b, completions)];
  for (let [i, j] = [0, 0]; ; ) {
    const [one, other] = [ours[i], theirs[j]];
    if (one === undefined || other === undefined) return undefined;
    if (one[0] <= other[1] && other[0] <= one[1]) return Math.max(one[0], other[0]);
    if (one[0] <= other[0]) i++;
    else j++;
  }
}

function readableIntervals(text: string, completions: number): Interval[] {
  return (text === "" ? [] : text.split(",")).flatMap((part) => {
    try {
      return [parseInterval(part, completions)];
    } catch {
      return [];
    }
  });
}

function parseInterval(text: string, completions: number): Interval {
  const limits = text.split("-");
  if (limits.length > 2) {
    throw new IndexesError(
      `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    );
  }
  const first = parseIndex(limits[0] ?? "", completions);
  if (limits[1] === undefined) return [first, first];
  const last = parseIndex(limits[1], completions);
  if (first >= last) throw outOfOrder(first, last);
  return [first, last];
}

function parseIndex(text: string, completions: number): number {
  const index = parseGoInt(text);
  if (typeof index === "string") throw new IndexesError(`cannot convert string to integer for index: ${goQuote(text)}`);
  if (index >= completions) throw new IndexesError(`too large index: ${goQuote(text)}`);
  return Number(index);
}

function outOfOrder(previous: number, current: number): IndexesError {
  return new IndexesError(`non-increasing order, previous: ${previous}, current: ${current}`);
}
