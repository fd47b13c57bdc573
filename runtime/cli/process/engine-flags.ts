import { cachedDataVersionTag, setFlagsFromString } from "node:v8";

/**
 * The flags of V8 that a server changes, as they are at first: V8 cannot be asked. The first one depends on its other flags, and the
 * launcher of the package (`package/launcher.js`) sets the next two.
 */
const INITIAL = {
  "invocation-count-for-turbofan": ["--invocation-count-for-turbofan=10000", "--invocation-count-for-turbofan=3000"],
  "maglev-filter": ["--maglev-filter=-*", "--maglev-filter=*"],
  "turbo-filter": ["--turbo-filter=-*", "--turbo-filter=*"],
  "heap-growing-percent": ["--heap-growing-percent=0"],
  "semi-space-growth-factor": ["--semi-space-growth-factor=2"],
  "expose-gc": ["--no-expose-gc"],
  sparkplug: ["--sparkplug"],
} as const;

/** Depends on all flags. */
const initialTag = cachedDataVersionTag();
const changed = new Map<keyof typeof INITIAL, string>();

/** V8 reads these whenever it needs them. */
export function setEngineFlag(name: keyof typeof INITIAL, value: number | string | boolean = true): void {
  const flag = typeof value === "boolean" ? `--${value ? "" : "no-"}${name}` : `--${name}=${value}`;
  changed.set(name, flag);
  setFlagsFromString(flag);
}

/**
 * Calls a function with the flags that the process started with, since V8 uses stored code only with the flags of its making. Returns undefined,
 * and does not call it, if they are not known.
 */
export function withInitialFlags<T>(call: () => T): T | undefined {
  try {
    for (const flags of combinations([...changed.keys()].map((name) => INITIAL[name]))) {
      for (const flag of flags) setFlagsFromString(flag);
      if (cachedDataVersionTag() === initialTag) return call();
    }
    return undefined;
  } finally {
    for (const flag of changed.values()) setFlagsFromString(flag);
  }
}

/** Every way to take one of each list. */
function combinations(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return lists.reduce<readonly (readonly string[])[]>(
    (all, list) => all.flatMap((taken) => list.map((each) => [...taken, each])),
    [[]],
  );
}
