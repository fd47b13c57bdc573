/** The bounds and the demand of a priority level. */
export interface SeatClaim {
  /** Configured share of all seats. */
  readonly nominal: number;
  /** Nominal seats minus the lendable ones. */
  readonly lower: number;
  /** Nominal seats plus the maximum that may be borrowed. */
  readonly upper: number;
  readonly isExempt: boolean;
  /** Maximum number of seats in demand at the same time during the last period. */
  readonly highest: number;
  /** Smoothed demand. */
  readonly smoothed: number;
}

export interface SeatAllocation {
  /** Seats of each claim, in order. */
  readonly seats: readonly number[];
  /** Target of each claim, which all would get if proportions alone decided; undefined for exempt claims. */
  readonly targets: readonly (number | undefined)[];
  /** Fraction of their targets that claims receive which are not limited by a bound; 0 if no seats are left to distribute. */
  readonly fairFraction: number;
}

/** Configured shares of a level, before anything is lent or borrowed. */
export interface LevelShares {
  readonly shares: number;
  readonly lendablePercent: number;
  /** Undefined means no limit other than the seats of the server. */
  readonly borrowingLimitPercent: number | undefined;
}

/** Divides all seats by shares. Rounds up, so that every level with a share gets a seat. */
export function divideSeats(levels: readonly LevelShares[], total: number) {
  const sum = levels.reduce((shares, level) => shares + level.shares, 0);
  return levels.map(({ shares, lendablePercent, borrowingLimitPercent }) => {
    const nominal = sum === 0 ? 0 : Math.ceil((total * shares) / sum);
    const lendable = Math.round((nominal * lendablePercent) / 100);
    const borrowed = borrowingLimitPercent === undefined ? total : Math.round((nominal * borrowingLimitPercent) / 100);
    return {
      nominal,
      lower: nominal - lendable,
      upper: nominal + borrowed,
      initial: nominal - Math.floor(lendable / 2),
    };
  });
}

/**
 * Lends unused seats to levels that could use them. Every level keeps the seats it has used during the last period, up to its nominal seats, and at
 * least its lower bound. The rest is divided in proportion to the demand, within the bounds.
 */
export function allocateSeats(claims: readonly SeatClaim[]): SeatAllocation {
  const least = claims.map(({ isExempt, lower, nominal, highest }) =>
    Math.max(lower, isExempt ? highest : Math.min(nominal, highest)),
  );
  const sumOf = (values: readonly number[], exempt: boolean): number =>
    values.reduce((sum, value, index) => (claims[index]?.isExempt === exempt ? sum + value : sum), 0);
  const total = claims.reduce((sum, { nominal }) => sum + nominal, 0);
  const left = total - sumOf(least, true);
  const lowest = sumOf(
    claims.map(({ lower }) => lower),
    false,
  );
  const needed = sumOf(least, false);
  const targets = claims.map(({ isExempt, smoothed }, index) =>
    isExempt ? undefined : Math.max(least[index] ?? 0, smoothed),
  );
  if (left <= needed) {
    const part = left <= lowest || needed === lowest ? 0 : (left - lowest) / (needed - lowest);
    const seats = claims.map(({ isExempt, lower }, index) => {
      const own = least[index] ?? 0;
      return isExempt ? own : lower + Math.round((own - lower) * part);
    });
    return { seats, targets, fairFraction: 0 };
  }
  const limited = claims.flatMap(({ isExempt, upper }, index) =>
    isExempt ? [] : [{ lower: least[index] ?? 0, upper, target: Math.max(targets[index] ?? 0, SMALLEST_TARGET) }],
  );
  const fairFraction = findFraction(limited, left);
  const seats = claims.map(({ isExempt, upper }, index) => {
    const own = least[index] ?? 0;
    if (isExempt) return own;
    return Math.round(clamp(fairFraction * Math.max(targets[index] ?? 0, SMALLEST_TARGET), own, upper));
  });
  return { seats, targets, fairFraction };
}

/** Minimum target: a level without demand must be able to get seats that no other level may have. */
const SMALLEST_TARGET = 0.001;
const STEPS = 100;

interface BoundedTarget {
  readonly lower: number;
  readonly upper: number;
  readonly target: number;
}

/** Returns the fraction with which the targets, each limited to its bounds, use up all seats. */
function findFraction(items: readonly BoundedTarget[], seats: number): number {
  const used = (fraction: number): number =>
    items.reduce((sum, { lower, upper, target }) => sum + clamp(fraction * target, lower, upper), 0);
  let low = 0;
  let high = items.reduce((most, { upper, target }) => Math.max(most, upper / target), 0);
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (used(middle) < seats) low = middle;
    else high = middle;
  }
  return high;
}

function clamp(value: number, lower: number, upper: number): number {
  return Math.max(lower, Math.min(upper, value));
}
