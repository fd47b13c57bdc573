import type { Clock } from "../../lib/clock.ts";

/** Polls a condition, which is initially considered false, and calls `tell` on each change. Returns a function that stops it. */
export function followCondition(
  clock: Clock,
  everyMs: number,
  holds: () => boolean,
  tell: (holds: boolean) => void,
): () => void {
  let last = false;
  let cancel = (): void => undefined;
  const look = (): void => {
    const now = holds();
    if (now !== last) tell(now);
    last = now;
    cancel = clock.after(everyMs, look);
  };
  look();
  return () => cancel();
}
