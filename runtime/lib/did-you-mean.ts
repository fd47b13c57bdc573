/** Returns the candidate that is closest to the typed word. Undefined if none is similar enough. */
export function closest(typed: string, candidates: Iterable<string>): string | undefined {
  const wanted = typed.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Returns ` (did you mean "x"?)`, or an empty string if there is no good candidate. */
export function didYouMean(typed: string, candidates: Iterable<string>): string {
  const guess = closest(typed, candidates);
  return guess === undefined ? "" : ` (did you mean "${guess}"?)`;
}

/** Like `didYouMean`, for `group/version`. Groups may be abbreviated to their first label: `rbac/v1`. */
export function didYouMeanVersion(typed: string, versions: readonly string[]): string {
  const group = typed.slice(0, Math.max(0, typed.lastIndexOf("/")));
  const ofGroup = versions.filter((version) => group !== "" && version.startsWith(`${group}.`));
  const version = typed.slice(group.length);
  const guess = closest(typed, versions) ?? ofGroup.find((known) => known.endsWith(version)) ?? ofGroup[0];
  return guess === undefined ? "" : ` (did you mean "${guess}"?)`;
}

/** Number of insertions, deletions, replacements and swaps of adjacent characters between two words. Stops counting at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, replace);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
