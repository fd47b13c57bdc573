/** Default rates. README.md describes each disturbance. */
const RATES = {
  stale: 0.3,
  late: 0.3,
  close: 0.2,
  expire: 0.1,
  conflict: 0.2,
  refuse: 0.05,
  slow: 0.1,
  bookmarks: 0.5,
  restart: 0.005,
};

export type Disturbance = keyof typeof RATES;

export interface DisturbSettings {
  readonly seed: number;
  /** Rates from 0 to 1. */
  readonly rates: Readonly<Record<Disturbance, number>>;
}

/** The settings are invalid. The message is a sentence for the command line. */
export class DisturbError extends Error {
  readonly code = "Disturb";
}

const NAMES = Object.keys(RATES) as Disturbance[];
const MAX_SEED = 2 ** 32 - 1;

/** Parses `seed=42,late=0.2,close`. `newSeed` provides the seed if none is given. Throws a DisturbError. */
export function parseDisturb(text: string, newSeed: () => number): DisturbSettings {
  const rates = new Map<Disturbance, number>();
  let seed: number | undefined;
  for (const part of text.split(",").filter((each) => each !== "")) {
    const [name = "", value] = part.split("=", 2);
    if (name === "seed") seed = readSeed(value ?? "");
    else rates.set(nameOf(name), value === undefined ? RATES[nameOf(name)] : readRate(name, value));
  }
  const chosen = rates.size === 0 ? RATES : { ...noRates(), ...Object.fromEntries(rates) };
  return { seed: seed ?? newSeed(), rates: chosen };
}

/** Formats settings in the syntax of `parseDisturb`. */
export function formatDisturb({ seed, rates }: DisturbSettings): string {
  const named = NAMES.filter((name) => rates[name] > 0).map((name) => `${name}=${rates[name]}`);
  return [`seed=${seed}`, ...named].join(",");
}

function noRates(): Record<Disturbance, number> {
  return Object.fromEntries(NAMES.map((name) => [name, 0])) as Record<Disturbance, number>;
}

function nameOf(name: string): Disturbance {
  const found = NAMES.find((each) => each === name);
  if (found === undefined) throw new DisturbError(`"${name}" is not a disturbance: write seed, ${NAMES.join(", ")}`);
  return found;
}

function readSeed(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > MAX_SEED) {
    throw new DisturbError(`seed=${text}: write a number from 0 to ${MAX_SEED}`);
  }
  return Number(text);
}

function readRate(name: string, text: string): number {
  if (!/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) || Number(text) > 1) {
    throw new DisturbError(`${name}=${text}: write a number from 0 to 1`);
  }
  return Number(text);
}
