const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds, or a string with a unit: `"30s"`, `"10m"`. */
export type Duration = number | `${number}${keyof typeof UNITS}`;

/** Converts a duration to milliseconds. Throws a RangeError if it is invalid or negative. */
export function millisecondsOf(duration: Duration): number {
  const [, number, unit = "ms"] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(String(duration)) ?? [];
  const milliseconds = typeof duration === "number" ? duration : Number(number) * UNITS[unit as keyof typeof UNITS];
  if (!(milliseconds >= 0))
    throw new RangeError(`${JSON.stringify(duration)} is not a duration: write "30s", "10m", or milliseconds`);
  return milliseconds;
}
