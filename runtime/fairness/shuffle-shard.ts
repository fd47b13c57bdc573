import { createHash } from "node:crypto";
import { type BacklogParts, FlowBacklog } from "./flow-backlog.ts";

/** Maximum number of cached hands. The hands of other flows are computed again. */
const REMEMBERED_FLOWS = 4096;

/** The state of a schema's flow. */
export interface Flow {
  /** Indexes of its queues, all different. */
  readonly hand: readonly number[];
  readonly backlog: FlowBacklog;
  /** The turn of the event loop in which one of its requests was last started. */
  turn: number;
}

/**
 * Shuffle sharding: every flow of a schema gets a hand of queues, chosen by its hash. Two flows rarely share all of their queues. If a flow fills its
 * own queues, other flows usually still have short ones.
 */
export class Dealer {
  readonly #schema: string;
  readonly #queues: number;
  readonly #handSize: number;
  readonly #parts: BacklogParts;
  readonly #flows = new Map<string, Flow>();

  constructor(schema: string, queues: number, handSize: number, parts: BacklogParts) {
    this.#parts = parts;
    this.#schema = schema;
    this.#queues = queues;
    this.#handSize = handSize;
  }

  flowOf(name: string): Flow {
    let flow = this.#flows.get(name);
    if (flow === undefined) {
      if (this.#flows.size >= REMEMBERED_FLOWS) this.#flows.clear();
      const hand = dealHand(hashOf(`${this.#schema}\u0000${name}`), this.#queues, this.#handSize);
      flow = { hand, backlog: new FlowBacklog(this.#parts), turn: -1 };
      this.#flows.set(name, flow);
    }
    return flow;
  }
}

function hashOf(key: string): bigint {
  return createHash("sha256").update(key).digest().readBigUInt64LE(0);
}

/** Returns `handSize` different numbers below `deckSize`, chosen by the hash. */
export function dealHand(hash: bigint, deckSize: number, handSize: number): number[] {
  const hand: number[] = [];
  let rest = hash;
  for (let dealt = 0; dealt < handSize; dealt++) {
    const left = BigInt(deckSize - dealt);
    let card = Number(rest % left);
    rest /= left;
    // `card` is an index among the remaining cards: increment it for each lower card that is already in the hand.
    for (const taken of [...hand].sort((a, b) => a - b)) if (card >= taken) card += 1;
    hand.push(card);
  }
  return hand;
}
