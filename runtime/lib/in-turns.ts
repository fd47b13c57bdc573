import { setImmediate as nextTurn } from "node:timers/promises";

/** How long one piece of work may hold the event loop before other events are handled. */
const SLICE_MS = 8;

/** Work that may be interrupted wherever it yields. */
export type Steps<T> = Generator<void, T, void>;

/** Does the work in slices, and lets the event loop handle other events between them. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (let end = performance.now() + SLICE_MS; ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + SLICE_MS;
  }
}

/** Does the work without interruption. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
