import type { MutationRound } from "../contract/admission.ts";
import type { ApiObject } from "../contract/api-object.ts";
import { cloneJson } from "../lib/clone-json.ts";
import { equalJson } from "../lib/equal-json.ts";

/**
 * Which of the webhooks (or policies) that were called, and may be called again, are called in the second round: those after
 * which something changed the object. Others are not called in the second round for the first time.
 */
export class Reinvocation {
  readonly #round: MutationRound;
  readonly #memory: Memory;

  private constructor(round: MutationRound, memory: Memory) {
    this.#round = round;
    this.#memory = memory;
  }

  /** What the plugin of this name remembers; `object` is the one the round begins with. */
  static of(round: MutationRound, plugin: string, object: ApiObject | undefined): Reinvocation {
    const known = round.memory.get(plugin) as Memory | undefined;
    const memory = known ?? { invoked: new Set(), due: new Set(), last: undefined };
    round.memory.set(plugin, memory);
    const reinvocation = new Reinvocation(round, memory);
    if (round.number > 0 && !equalJson(memory.last, object)) reinvocation.#require();
    return reinvocation;
  }

  isDue(id: string): boolean {
    return this.#round.number === 0 || this.#memory.due.has(id);
  }

  /** Called before `invoked` of the one that made the change: it need not see its own work. */
  changed(): void {
    this.#require();
    this.#round.repeat();
  }

  invoked(id: string): void {
    this.#memory.invoked.add(id);
  }

  finish(object: ApiObject | undefined): void {
    this.#memory.last = object && cloneJson(object);
  }

  #require(): void {
    for (const id of this.#memory.invoked) this.#memory.due.add(id);
    this.#memory.invoked.clear();
  }
}

interface Memory {
  readonly invoked: Set<string>;
  readonly due: Set<string>;
  last: ApiObject | undefined;
}
