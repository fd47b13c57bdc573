import { setImmediate } from "node:timers";
import { setImmediate as nextRound } from "node:timers/promises";

/** Maximum time that one task may hold the event loop before other events are handled, in milliseconds. */
export const SLICE_MS = 8;

/** Interrupted tasks that wait for a turn, oldest first. */
const waiting: (() => void)[] = [];
/** Maximum number of tasks that are resumed in one turn. */
const MOST_RESUMED = 64;
let isDriven = false;
/** End of the slice of this turn. All interrupted tasks share it, so that many large requests hold the event loop no longer than one. */
let sliceEnd = 0;

/** Resolves in a later turn of the event loop in which the slice for interrupted tasks has time left. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (isDriven) return;
    isDriven = true;
    setImmediate(beginTurn);
    setImmediate(resumeOldest);
  });
}

/** Runs before the tasks of its turn, and requests the next turn. */
function beginTurn(): void {
  sliceEnd = performance.now() + SLICE_MS;
  isDriven = waiting.length > 0;
  if (!isDriven) return;
  setImmediate(beginTurn);
  for (let i = Math.min(waiting.length, MOST_RESUMED); i > 0; i--) setImmediate(resumeOldest);
}

/**
 * Resumes the oldest task if the slice has time left. Node runs the resolved promise before the next immediate, so the task has completed its part
 * by then.
 */
function resumeOldest(): void {
  if (performance.now() < sliceEnd) waiting.shift()?.();
}

/** A task that can be interrupted at each `yield`. */
export type Steps<T> = Generator<void, T, void>;

/** Like `Steps`. If it yields a promise, it continues after that promise is resolved. */
export type WaitingSteps<T> = Generator<Promise<void> | undefined, T, void>;

/** Runs a task in slices. The event loop handles other events between them. */
export async function inTurns<T>(steps: Steps<T> | WaitingSteps<T>): Promise<T> {
  for (let end = performance.now() + SLICE_MS; ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (step.value instanceof Promise) await step.value;
    else if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + SLICE_MS;
  }
}

/**
 * Runs a task synchronously if it is short. Otherwise continues in later turns and returns a promise; it then calls `interrupted` before any other
 * code can run.
 */
export function inTurnsIfLong<T>(steps: Steps<T> | WaitingSteps<T>, interrupted?: () => void): T | Promise<T> {
  const end = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const { value: ready } = step;
    if (!(ready instanceof Promise) && performance.now() < end) continue;
    interrupted?.();
    const resumed = ready instanceof Promise ? ready.then(nextTurn) : nextTurn();
    return resumed.then(() => inTurns(steps));
  }
}

/**
 * Minimum size of a JSON document whose object is processed in several turns, because each step may take long. Work on smaller objects is not
 * divided.
 */
export const LARGE_BYTES = 128 * 1024;

/**
 * Call it after a step of a request, with the time (`performance.now()`) at which the step began. Returns a promise for a later turn of the event
 * loop if the step took long, as for large objects. Returns undefined otherwise, so that ordinary requests are not delayed.
 */
export function restAfter(began: number): Promise<void> | undefined {
  return performance.now() - began < SLICE_MS ? undefined : rest();
}

/** Start time of the first of many short tasks in this turn. Undefined if there was none. */
let othersBegan: number | undefined;

/** Call it before one of many short, synchronous tasks. Returns a promise for a later turn if the preceding ones took long in total. */
export function restAfterOthers(): Promise<void> | undefined {
  if (othersBegan !== undefined) return restAfter(othersBegan);
  othersBegan = performance.now();
  setImmediate(() => {
    othersBegan = undefined;
  });
  return undefined;
}

/** Resolves in a later turn. Two turns are needed: the first one may still be part of the turn that began with input from a peer. */
export async function rest(): Promise<void> {
  await nextRound();
  await nextTurn();
}

/** Maps a list, and pauses whenever the items since the last pause took long. */
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

/** Loads modules one per turn; each must precede those that import it. Node loads a module and all its imports in a single turn. */
export async function loadInTurns(modules: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const load of modules) {
    await load();
    await rest();
  }
}

/** Runs a task without interruption. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
