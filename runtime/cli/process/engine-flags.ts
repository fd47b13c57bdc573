import { cachedDataVersionTag, setFlagsFromString } from "node:v8";

/** Possible defaults. Nearly every release of Node.js has a different one: 3,000 in 22, 6,000 in 23, 10,000 in 24, 16,000 in 25 and 26. */
const CALLS_BEFORE_TURBOFAN = Array.from({ length: 40 }, (_, index) => (index + 1) * 1000);

/** Initial values of the V8 flags that a server changes. V8 cannot return them, and the first one depends on its other flags. */
const INITIAL = {
  "invocation-count-for-turbofan": CALLS_BEFORE_TURBOFAN.map((calls) => `--invocation-count-for-turbofan=${calls}`),
  "heap-growing-percent": ["--heap-growing-percent=0"],
  // Exists since Node.js 24.
  "external-memory-accounted-in-global-limit": ["--no-external-memory-accounted-in-global-limit"],
  "incremental-marking-hard-trigger": ["--incremental-marking-hard-trigger=0"],
  "semi-space-growth-factor": ["--semi-space-growth-factor=2"],
  "expose-gc": ["--no-expose-gc"],
  "compact-on-every-full-gc": ["--no-compact-on-every-full-gc"],
  sparkplug: ["--sparkplug"],
} satisfies Record<string, readonly string[]>;

/** A tag that depends on all flags. */
const initialTag = cachedDataVersionTag();
const changed = new Map<keyof typeof INITIAL, string>();

/** Sets a flag that V8 reads on each use. */
export function setEngineFlag(name: keyof typeof INITIAL, value: number | boolean = true): void {
  const flag = typeof value === "number" ? `--${name}=${value}` : `--${value ? "" : "no-"}${name}`;
  changed.set(name, flag);
  setFlagsFromString(flag);
}

/**
 * Calls a function with the initial flags of the process, since V8 uses cached code only with the flags with which it was created. Returns undefined,
 * and does not call it, if the initial flags are unknown.
 */
export function withInitialFlags<T>(call: () => T): T | undefined {
  try {
    for (const name of changed.keys()) setFlagsFromString(INITIAL[name][0] as string);
    const others = [...changed.keys()].flatMap((name) => INITIAL[name].slice(1));
    while (cachedDataVersionTag() !== initialTag) {
      const other = others.shift();
      if (other === undefined) return undefined;
      setFlagsFromString(other);
    }
    return call();
  } finally {
    for (const flag of changed.values()) setFlagsFromString(flag);
  }
}
