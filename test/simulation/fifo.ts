import type { World } from "./world.ts";

/** A connection in one direction: messages have different delays but arrive in order. */
export class Fifo {
  readonly #world: World;
  readonly #label: string;
  readonly #longestMs: number;
  readonly #messages: (() => void)[] = [];

  constructor(world: World, label: string, longestMs: number) {
    this.#world = world;
    this.#label = label;
    this.#longestMs = longestMs;
  }

  send(deliver: () => void): void {
    this.#messages.push(deliver);
    this.#world.event(this.#label, this.#longestMs, () => this.#messages.shift()?.());
  }
}
