const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES: ReadonlyMap<string, number> = new Map([...DIGITS].map((digit, value) => [digit, value]));

/** Positions in the segments of a source map: column, source, line, source column, name. All but the first are relative across lines. */
type Position = [column: number, source: number, line: number, sourceColumn: number, name: number];

/**
 * Returns the mappings of a source map without those that differ in the column only, which are most of it. Of each line, keeps the first
 * mapping, those to another source line than the previous one, and those with a name. `removed` is the number of characters that were removed
 * from the start of each line.
 */
export function lineMappings(mappings: string, removed: readonly number[] = []): string {
  const read: Position = [0, 0, 0, 0, 0];
  const written: Position = [0, 0, 0, 0, 0];
  return mappings
    .split(";")
    .map((line, number) => {
      read[0] = 0;
      written[0] = 0;
      let before: readonly [source: number, line: number] | undefined;
      let isFirst = true;
      const kept: string[] = [];
      for (const segment of line === "" ? [] : line.split(",")) {
        const deltas = decode(segment);
        for (const [index, delta] of deltas.entries()) read[index] = (read[index] as number) + delta;
        const [column, source, sourceLine] = read;
        const now = deltas.length === 1 ? undefined : ([source, sourceLine] as const);
        const isSame = before?.[0] === now?.[0] && before?.[1] === now?.[1];
        if (!isFirst && isSame && deltas.length < 5) continue;
        isFirst = false;
        before = now;
        const position = read.with(0, Math.max(0, column - (removed[number] ?? 0)));
        kept.push(deltas.map((_, index) => encode((position[index] as number) - (written[index] as number))).join(""));
        for (const index of deltas.keys()) written[index] = position[index] as number;
      }
      return kept.join(",");
    })
    .join(";");
}

/**
 * Decodes base64 VLQ: least significant digits first. The sixth bit of a digit means that another digit follows; the lowest bit of a number
 * is its sign.
 */
function decode(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const digit of segment) {
    const bits = VALUES.get(digit);
    if (bits === undefined) throw new SyntaxError(`${JSON.stringify(digit)} is not a digit of a source map`);
    value += (bits & 31) << shift;
    shift += 5;
    if ((bits & 32) !== 0) continue;
    numbers.push((value & 1) === 1 ? -(value >>> 1) : value >>> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

function encode(number: number): string {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = "";
  do {
    const bits = rest & 31;
    rest >>>= 5;
    text += DIGITS[rest > 0 ? bits | 32 : bits];
  } while (rest > 0);
  return text;
}
