import { cachedDataVersionTag, setFlagsFromString } from "node:v8";

/** The flags of V8 that a server changes, as they are at first: V8 cannot be asked, and the first one depends on its other flags. */
const INITIAL = {
  // Node 24, 23 and 22.
  "invocation-count-for-turbofan": [
    "--invocation-count-for-turbofan=10000",
    "--invocation-count-for-turbofan=6000",
    "--invocation-count-for-turbofan=3000",
  ],
  "heap-growing-percent": ["--heap-growing-percent=0"],
  // Since Node 24.
  "external-memory-accounted-in-global-limit": ["--no-external-memory-accounted-in-global-limit"],
  "incremental-marking-hard-trigger": ["--incremental-marking-hard-trigger=0"],
  "semi-space-growth-factor": ["--semi-space-growth-factor=2"],
  "expose-gc": ["--no-expose-gc"],
  "compact-on-every-full-gc": ["--no-compact-on-every-full-gc"],
  sparkplug: ["--sparkplug"],
} as const;

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
    for (const name of changed.keys()) setFlagsFromString(INITIAL[name][0]);
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
