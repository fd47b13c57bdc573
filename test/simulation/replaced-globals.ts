import crypto, { type UUID } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import { below, fill } from "./random.ts";
import type { World } from "./world.ts";

/**
 * The current world, which controls time, timers and randomness of the process; if there is none, they are real. The server receives its
 * clock as an argument. This is for everything without that argument: measured durations, turns of the event loop, UIDs, and dependencies.
 */
let world: World | undefined;
let isInstalled = false;

/** Enters a world. All code until `leave` runs in it. */
export function enter(entered: World): void {
  if (!isInstalled) install();
  isInstalled = true;
  world = entered;
}

export function leave(): void {
  world = undefined;
}

type Action = (...args: unknown[]) => void;

class SimulatedTimer {
  readonly #set: () => () => void;
  #cancel: () => void;

  constructor(set: () => () => void) {
    this.#set = set;
    this.#cancel = set();
  }

  cancel(): void {
    this.#cancel();
  }

  refresh(): this {
    this.#cancel();
    this.#cancel = this.#set();
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

function install(): void {
  const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = globalThis;
  const clearing = (real: (timer: never) => void) => (timer: unknown) =>
    timer instanceof SimulatedTimer ? timer.cancel() : real(timer as never);
  const replacedTimers = {
    setTimeout: (action: Action, delayMs = 0, ...args: unknown[]) => {
      const inside = world;
      if (inside === undefined) return setTimeout(action, delayMs, ...args);
      return new SimulatedTimer(() => inside.timer(delayMs, () => action(...args), "timeout"));
    },
    setInterval: (action: Action, delayMs = 0, ...args: unknown[]) => {
      const inside = world;
      if (inside === undefined) return setInterval(action, delayMs, ...args);
      const timer: SimulatedTimer = new SimulatedTimer(() =>
        inside.timer(
          Math.max(delayMs, 1),
          () => {
            timer.refresh();
            action(...args);
          },
          "interval",
        ),
      );
      return timer;
    },
    setImmediate: (action: Action, ...args: unknown[]) => {
      const inside = world;
      if (inside === undefined) return setImmediate(action, ...args);
      return new SimulatedTimer(() => inside.immediate(() => action(...args)));
    },
    clearTimeout: clearing(clearTimeout),
    clearInterval: clearing(clearInterval),
    clearImmediate: clearing(clearImmediate),
  };
  Object.assign(globalThis, replacedTimers);
  Object.assign(timers, replacedTimers);

  const { setTimeout: later, setImmediate: nextTurn } = timersPromises;
  Object.assign(timersPromises, {
    setTimeout: (delayMs: number, value?: unknown, options?: object) =>
      world === undefined
        ? later(delayMs, value, options)
        : new Promise((resolve) => void world?.timer(delayMs, () => resolve(value), "timeout")),
    setImmediate: (value?: unknown, options?: object) =>
      world === undefined
        ? nextTurn(value, options)
        : new Promise((resolve) => void world?.immediate(() => resolve(value))),
  });

  const monotonic = performance.now.bind(performance);
  performance.now = () => world?.elapsed ?? monotonic();
  const RealDate = Date;
  const now = (): number => (world === undefined ? RealDate.now() : Math.floor(world.now));
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    get: (target, member, receiver) => (member === "now" ? now : Reflect.get(target, member, receiver)),
  });

  const random = Math.random;
  Math.random = () => (world === undefined ? random() : world.serverRandom());
  const { randomUUID, randomBytes, randomInt } = crypto;
  const getRandomValues = globalThis.crypto.getRandomValues.bind(globalThis.crypto);
  globalThis.crypto.getRandomValues = <T extends NodeJS.ArrayBufferView | null>(view: T): T =>
    world === undefined || view === null ? (getRandomValues(view as never) as T) : fill(world.serverRandom, view);
  Object.assign(crypto, {
    randomUUID: (): UUID => (world === undefined ? randomUUID() : uuidOf(world)),
    randomBytes: (size: number) =>
      world === undefined ? randomBytes(size) : fill(world.serverRandom, Buffer.alloc(size)),
    randomInt: (most: number) => (world === undefined ? randomInt(most) : below(world.serverRandom, most)),
  });
  syncBuiltinESMExports();
}

function uuidOf({ serverRandom }: World): UUID {
  const bytes = fill(serverRandom, Buffer.alloc(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as UUID;
}
