import { setImmediate as nextRound } from "node:timers/promises";

/** How long one piece of work may hold the event loop before other events are handled. */
const SLICE_MS = 8;

/** Work that was interrupted and waits for a turn, oldest first: many large requests at once hold the event loop no longer than one. */
const waiting: (() => void)[] = [];

/** Resolves in a later turn of the event loop that no other interrupted work shares. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeOldest);
  });
}

function resumeOldest(): void {
  const resume = waiting.shift();
  if (waiting.length > 0) setImmediate(resumeOldest);
  resume?.();
}

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

/** Does the work at once if it is short, and otherwise goes on in later turns: then it returns a promise. */
export function inTurnsIfLong<T>(steps: Steps<T>): T | Promise<T> {
  const end = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() >= end) return nextTurn().then(() => inTurns(steps));
  }
}

/**
 * Size of a JSON document from which work on the object in it is divided into several turns: each step may take long. The work on
 * smaller objects is not divided.
 */
export const LARGE_BYTES = 128 * 1024;

/**
 * After a step of a request that began at a time of `performance.now()`: a promise for a later turn of the event loop if the step
 * took long, as it does for large objects; undefined otherwise, so that ordinary requests do not wait.
 */
export function restAfter(began: number): Promise<void> | undefined {
  return performance.now() - began < SLICE_MS ? undefined : rest();
}

/** Resolves in a later turn. What waits for the first of two is still part of the turn that began with input of a peer. */
export async function rest(): Promise<void> {
  await nextRound();
  await nextTurn();
}

/** Maps a list, and rests whenever items together took long. */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R | Promise<R>): Promise<R[]> {
  const mapped: R[] = [];
  let began = performance.now();
  for (const item of items) {
    const one = map(item);
    mapped.push(one instanceof Promise ? await one : one);
    const resting = restAfter(began);
    if (resting === undefined) continue;
    await resting;
    began = performance.now();
  }
  return mapped;
}

/** Does the work without interruption. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
