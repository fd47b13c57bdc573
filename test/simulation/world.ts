import type { Clock } from "../../runtime/lib/clock.ts";
import { type Random, randomOf } from "./random.ts";

interface Task {
  readonly label: string;
  readonly due: number;
  readonly order: number;
  readonly action: () => void;
  cancelled: boolean;
}

/** 2026-01-01: wall-clock time at the start of every run. */
export const BEGINNING = Date.UTC(2026, 0, 1);
/** Duration of an event loop turn, so that no two turns have the same time. */
const TURN_MS = 0.001;
/** Delays of messages and commits are multiples of this, so that many become due at the same time and run in any order. */
const GRID_MS = 0.5;

/** Saved before globals are replaced. */
const realTurn = globalThis.setImmediate;

/**
 * Time and event loop of one simulated run. A seed determines everything that is random in reality: the duration of messages and commits, the
 * order of events that are due at the same time, and when the machine stalls. Between two turns, all promises that can settle do.
 *
 *     immediates   in order, as Node runs them
 *     timers       in order of their times
 *     events       messages and commits: any of those that are due
 */
export class World {
  readonly #choices: Random;
  /** Random source of the server: UIDs, jitter. */
  readonly serverRandom: Random;
  readonly #keepsTrace: boolean;
  readonly #stallChance: number;
  #now = BEGINNING;
  #turns = 0;
  #order = 0;
  #hash = 0x811c9dc5;
  #immediates: Task[] = [];
  /** Sorted by time, then by order. */
  #timers: Task[] = [];
  #events: Task[] = [];
  readonly trace: string[] = [];

  constructor(seed: number, options: { readonly keepsTrace?: boolean; readonly stallChance?: number } = {}) {
    this.#choices = randomOf(seed, "choices");
    this.serverRandom = randomOf(seed, "server");
    this.#keepsTrace = options.keepsTrace ?? false;
    this.#stallChance = options.stallChance ?? 0;
  }

  /** Milliseconds since the epoch, with fractions. */
  get now(): number {
    return this.#now;
  }

  /** Milliseconds since the start of the run. */
  get elapsed(): number {
    return this.#now - BEGINNING;
  }

  get turns(): number {
    return this.#turns;
  }

  /** Hash of all events. Equal for two runs only if the same happened in both, at the same times and in the same order. */
  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, "0");
  }

  /** Records an event. */
  note(what: string): void {
    const line = `${this.elapsed.toFixed(3)} ${what}`;
    for (let index = 0; index < line.length; index++)
      this.#hash = Math.imul(this.#hash ^ line.charCodeAt(index), 0x01000193);
    if (this.#keepsTrace) this.trace.push(line);
  }

  immediate(action: () => void, label = "immediate"): () => void {
    return cancelOf(push(this.#immediates, this.#task(label, 0, action)));
  }

  timer(delayMs: number, action: () => void, label = "timer"): () => void {
    const task = this.#task(label, Math.max(delayMs, 0), action);
    let [low, high] = [0, this.#timers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#timers[middle]?.due ?? 0) <= task.due) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, task);
    return cancelOf(task);
  }

  /** Starts something outside of the event loop that ends after a delay determined by the seed. */
  event(label: string, longestMs: number, action: () => void): () => void {
    const delay = GRID_MS * Math.floor((this.#choices() ** 3 * longestMs) / GRID_MS);
    return cancelOf(push(this.#events, this.#task(label, delay, action)));
  }

  delay(label: string, longestMs: number): Promise<void> {
    return new Promise((resolve) => void this.event(label, longestMs, resolve));
  }

  /** Returns a random decision determined by the seed. */
  chance(probability: number): boolean {
    return probability > 0 && this.#choices() < probability;
  }

  choose(below: number): number {
    return Math.floor(this.#choices() * below);
  }

  /** Returns the clock of a process. Its timers do not fire after the end of the process. */
  clock(isAlive: () => boolean): Clock {
    return {
      now: () => Math.floor(this.#now),
      after: (delayMs, action) => this.timer(delayMs, () => isAlive() && action(), "clock"),
    };
  }

  /** Runs until a promise has settled. Rejects with its error, or if it does not settle within the limits. */
  async run<T>(work: Promise<T>, limits: { readonly elapsedMs: number; readonly turns: number }): Promise<T> {
    let settled = false;
    const end = (): void => {
      settled = true;
    };
    work.then(end, end);
    await inTurns(() => settled || this.#turn(limits));
    return work;
  }

  /** Runs one task. */
  #turn(limits: { readonly elapsedMs: number; readonly turns: number }): false {
    const task = this.#next();
    if (task === undefined) throw new StuckError(`nothing is left to happen after ${this.elapsed.toFixed(1)} ms`);
    if (this.elapsed > limits.elapsedMs) throw new StuckError(`not settled after ${limits.elapsedMs} ms`);
    if (this.#turns > limits.turns) throw new StuckError(`not settled after ${limits.turns} turns`);
    this.#turns++;
    this.#now += TURN_MS;
    if (this.#stallChance > 0 && this.chance(this.#stallChance)) this.#stall();
    this.note(task.label);
    task.action();
    return false;
  }

  /** Stalls the machine for a while: everything that becomes due is late. */
  #stall(): void {
    this.#now += GRID_MS * this.choose(60);
    this.note("stall");
  }

  #task(label: string, delayMs: number, action: () => void): Task {
    return { label, due: this.#now + delayMs, order: this.#order++, action, cancelled: false };
  }

  #next(): Task | undefined {
    for (;;) {
      while (this.#immediates[0]?.cancelled) this.#immediates.shift();
      while (this.#timers[0]?.cancelled) this.#timers.shift();
      if (this.#events.some(({ cancelled }) => cancelled))
        this.#events = this.#events.filter(({ cancelled }) => !cancelled);
      const due = this.#events.filter((event) => event.due <= this.#now);
      const [immediate, timer] = [this.#immediates[0], this.#timers[0]];
      const isTimerDue = timer !== undefined && timer.due <= this.#now;
      const ready = due.length + Number(immediate !== undefined) + Number(isTimerDue);
      if (ready > 0) return this.#take(this.choose(ready), due, immediate, isTimerDue ? timer : undefined);
      let next = timer?.due ?? Number.POSITIVE_INFINITY;
      for (const event of this.#events) next = Math.min(next, event.due);
      if (next === Number.POSITIVE_INFINITY) return undefined;
      this.#now = Math.max(this.#now, next);
    }
  }

  #take(
    index: number,
    events: readonly Task[],
    immediate: Task | undefined,
    timer: Task | undefined,
  ): Task | undefined {
    const event = events[index];
    if (event !== undefined) {
      this.#events.splice(this.#events.indexOf(event), 1);
      return event;
    }
    if (timer !== undefined && (immediate === undefined || index === events.length + 1)) return this.#timers.shift();
    return this.#immediates.shift();
  }
}

/** Thrown for a run that does not end. */
export class StuckError extends Error {}

function push(tasks: Task[], task: Task): Task {
  tasks.push(task);
  return task;
}

function cancelOf(task: Task): () => void {
  return () => {
    task.cancelled = true;
  };
}

/** Number of real turns that are queued at a time. Node runs promises and ticks between them, but polls for system events only after all of them. */
const QUEUED_TURNS = 50;

/** Calls an action until it returns true, each time after all promises and ticks have run. */
function inTurns(action: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const turn = (last: boolean): void => {
      if (isOver) return;
      try {
        isOver = action();
      } catch (error) {
        isOver = true;
        reject(error as Error);
      }
      if (isOver) resolve();
      else if (last) queue();
    };
    const queue = (): void => {
      for (let queued = 1; queued <= QUEUED_TURNS; queued++) realTurn(turn, queued === QUEUED_TURNS);
    };
    queue();
  });
}
