import { cachedDataVersionTag, setFlagsFromString } from "node:v8";

/** Nearly every release of Node has another number: 3,000 in 22, 6,000 in 23, 10,000 in 24, 16,000 in 25 and 26. */
const CALLS_BEFORE_TURBOFAN = Array.from({ length: 40 }, (_, index) => (index + 1) * 1000);

/** The flags of V8 that a server changes, as they are at first: V8 cannot be asked, and the first one depends on its other flags. */
const INITIAL = {
  "invocation-count-for-turbofan": CALLS_BEFORE_TURBOFAN.map((calls) => `--invocation-count-for-turbofan=${calls}`),
  "heap-growing-percent": ["--heap-growing-percent=0"],
  // Since Node 24.
  "external-memory-accounted-in-global-limit": ["--no-external-memory-accounted-in-global-limit"],
  "incremental-marking-hard-trigger": ["--incremental-marking-hard-trigger=0"],
  "semi-space-growth-factor": ["--semi-space-growth-factor=2"],
  "expose-gc": ["--no-expose-gc"],
  "compact-on-every-full-gc": ["--no-compact-on-every-full-gc"],
  sparkplug: ["--sparkplug"],
} satisfies Record<string, readonly string[]>;

/** Depends on all flags. */
const initialTag = cachedDataVersionTag();
const changed = new Map<keyof typeof INITIAL, string>();

/** V8 reads these whenever it needs them. */
export function setEngineFlag(name: keyof typeof INITIAL, value: number | boolean = true): void {
  const flag = typeof value === "number" ? `--${name}=${value}` : `--${value ? "" : "no-"}${name}`;
  changed.set(name, flag);
  setFlagsFromString(flag);
}

/**
 * Calls a function with the flags that the process started with, since V8 uses stored code only with the flags of its making. Returns undefined,
 * and does not call it, if they are not known.
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
