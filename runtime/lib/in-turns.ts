import { setImmediate as nextRound } from "node:timers/promises";

/** How long one piece of work may hold the event loop before other events are handled. */
export const SLICE_MS = 8;

/** Work that was interrupted and waits for a turn, oldest first. */
const waiting: (() => void)[] = [];
/** Most works that are resumed in one turn. */
const MOST_RESUMED = 64;
let isDriven = false;
/** When the slice of this turn ends. All interrupted works share it, so that many large requests hold the event loop no longer than one. */
let sliceEnd = 0;

/** Resolves in a later turn of the event loop, when the slice of interrupted works has time. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (isDriven) return;
    isDriven = true;
    setImmediate(beginTurn);
    setImmediate(resumeOldest);
  });
}

/** Runs before the works of its turn, and asks for the next turn. */
function beginTurn(): void {
  sliceEnd = performance.now() + SLICE_MS;
  isDriven = waiting.length > 0;
  if (!isDriven) return;
  setImmediate(beginTurn);
  for (let i = Math.min(waiting.length, MOST_RESUMED); i > 0; i--) setImmediate(resumeOldest);
}

/** Node runs what the promise resolves before it calls the next of these: each work is done with its part by then. */
function resumeOldest(): void {
  if (performance.now() < sliceEnd) waiting.shift()?.();
}

/** Work that may be interrupted wherever it yields. */
export type Steps<T> = Generator<void, T, void>;

/** The same, and where it yields a promise it goes on once that is resolved. */
export type WaitingSteps<T> = Generator<Promise<void> | undefined, T, void>;

/** Does the work in slices, and lets the event loop handle other events between them. */
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
 * Does the work at once if it is short, and otherwise goes on in later turns: then it returns a promise, and calls `interrupted` before
 * anything else can happen.
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

/** When the first of many short works of this turn began; undefined if none has. */
let othersBegan: number | undefined;

/** Before one of many works that are short, and wait for nothing: a promise for a later turn if those before it took long together. */
export function restAfterOthers(): Promise<void> | undefined {
  if (othersBegan !== undefined) return restAfter(othersBegan);
  othersBegan = performance.now();
  setImmediate(() => {
    othersBegan = undefined;
  });
  return undefined;
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

/** Loads modules, each after those that it imports, one a turn: Node loads a module and all that it imports at once. */
export async function loadInTurns(modules: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const load of modules) {
    await load();
    await rest();
  }
}

/** Does the work without interruption. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
