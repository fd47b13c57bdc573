const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;

/**
 * The order of keys in Go's YAML: where two differ, letters come after everything else, and digits count by the number that they
 * begin. A zero in the middle of a number is part of it, one at its start is not.
 */
export function compareNaturally(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((character, index) => character !== right[index]);
  if (at < 0 || at >= right.length) return left.length - right.length;
  const [x, y] = [left[at] as string, right[at] as string];
  const isLetter = [LETTER.test(x), LETTER.test(y)];
  if (isLetter[0] !== isLetter[1]) return isLetter[0] ? 1 : -1;
  if (!isLetter[0]) {
    const within = (x === "0" || y === "0") && isWithinNumber(left, at);
    const [first, second] = [digitsFrom(left, at), digitsFrom(right, at)];
    const difference = numberOf(first, within) - numberOf(second, within);
    if (difference !== 0n) return difference < 0n ? -1 : 1;
    if (first.length !== second.length) return first.length - second.length;
  }
  return (x.codePointAt(0) as number) - (y.codePointAt(0) as number);
}

/** Whether digits that are not all zero come before. */
function isWithinNumber(characters: readonly string[], at: number): boolean {
  let index = at - 1;
  while (index >= 0 && characters[index] === "0") index -= 1;
  return index >= 0 && DIGIT.test(characters[index] as string);
}

function digitsFrom(characters: readonly string[], at: number): readonly string[] {
  const end = characters.findIndex((character, index) => index >= at && !DIGIT.test(character));
  return characters.slice(at, end < 0 ? undefined : end);
}

/** In 64 bits, as Go counts; the code of the digit decides, whatever its script. */
function numberOf(digits: readonly string[], within: boolean): bigint {
  let number = within ? 1n : 0n;
  for (const digit of digits) number = BigInt.asIntN(64, number * 10n + BigInt((digit.codePointAt(0) as number) - 48));
  return number;
}
