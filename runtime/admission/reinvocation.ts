import type { MutationRound } from "../contract/admission.ts";
import type { ApiObject } from "../contract/api-object.ts";
import { cloneJson } from "../lib/clone-json.ts";
import { equalJson } from "../lib/equal-json.ts";

/**
 * Selects the webhooks or policies for the second round: those that were called in the first round, allow reinvocation, and after whose call the
 * object has changed. None is called for the first time in the second round.
 */
export class Reinvocation {
  readonly #round: MutationRound;
  readonly #memory: Memory;

  private constructor(round: MutationRound, memory: Memory) {
    this.#round = round;
    this.#memory = memory;
  }

  /** Returns the state of a plugin. `object` is the object at the start of the round. */
  static of(round: MutationRound, plugin: string, object: ApiObject | undefined): Reinvocation {
    const known = round.memory.get(plugin) as Memory | undefined;
    const memory = known ?? { invoked: new Set(), due: new Set(), last: undefined };
    round.memory.set(plugin, memory);
    const reinvocation = new Reinvocation(round, memory);
    if (round.number > 0 && memory.invoked.size > 0 && !equalJson(memory.last, object)) reinvocation.#require();
    return reinvocation;
  }

  isDue(id: string): boolean {
    return this.#round.number === 0 || this.#memory.due.has(id);
  }

  /** To be called before `invoked` of the webhook that made the change: it is not called again for its own change. */
  changed(): void {
    this.#require();
    this.#round.repeat();
  }

  invoked(id: string): void {
    this.#memory.invoked.add(id);
  }

  finish(object: ApiObject | undefined): void {
    // The object may be large, and is compared only where a webhook may be called again.
    this.#memory.last = object && this.#memory.invoked.size > 0 ? cloneJson(object) : undefined;
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
