import type { Clock } from "../../lib/clock.ts";

/** Looks at a condition, which is taken for false at first, and tells whenever it has changed. Returns how to stop. */
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
