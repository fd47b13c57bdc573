import { setFlagsFromString } from "node:v8";

/** The flags of V8 that a server changes, as they are at first. */
const INITIAL = {
  "invocation-count-for-turbofan": "--invocation-count-for-turbofan=3000",
  "heap-growing-percent": "--heap-growing-percent=0",
  "semi-space-growth-factor": "--semi-space-growth-factor=2",
  "expose-gc": "--no-expose-gc",
} as const;

const changed = new Map<keyof typeof INITIAL, string>();

/** V8 reads these whenever it needs them. */
export function setEngineFlag(name: keyof typeof INITIAL, value?: number): void {
  const flag = value === undefined ? `--${name}` : `--${name}=${value}`;
  changed.set(name, flag);
  setFlagsFromString(flag);
}

/** Calls a function with the flags that the process started with: V8 uses stored code only with the flags of its making. */
export function withInitialFlags<T>(call: () => T): T {
  for (const name of changed.keys()) setFlagsFromString(INITIAL[name]);
  try {
    return call();
  } finally {
    for (const flag of changed.values()) setFlagsFromString(flag);
  }
}
