import { createHash } from "node:crypto";

/** Flows whose hands are remembered; more are dealt again. */
const REMEMBERED_FLOWS = 4096;

/**
 * Shuffle sharding: every flow of a schema gets a hand of queues by its hash. Two flows rarely share all of their queues, so a flow that
 * fills its own leaves others some that are short.
 */
export class Dealer {
  readonly #schema: string;
  readonly #queues: number;
  readonly #handSize: number;
  readonly #hands = new Map<string, readonly number[]>();

  constructor(schema: string, queues: number, handSize: number) {
    this.#schema = schema;
    this.#queues = queues;
    this.#handSize = handSize;
  }

  /** The indexes of the queues of a flow, all different. */
  handOf(flow: string): readonly number[] {
    let hand = this.#hands.get(flow);
    if (hand === undefined) {
      if (this.#hands.size >= REMEMBERED_FLOWS) this.#hands.clear();
      hand = dealHand(hashOf(`${this.#schema}\u0000${flow}`), this.#queues, this.#handSize);
      this.#hands.set(flow, hand);
    }
    return hand;
  }
}

function hashOf(key: string): bigint {
  return createHash("sha256").update(key).digest().readBigUInt64LE(0);
}

/** Deals `handSize` different numbers below `deckSize`, chosen by the hash. */
export function dealHand(hash: bigint, deckSize: number, handSize: number): number[] {
  const hand: number[] = [];
  let rest = hash;
  for (let dealt = 0; dealt < handSize; dealt++) {
    const left = BigInt(deckSize - dealt);
    let card = Number(rest % left);
    rest /= left;
    // `card` counts the cards that are still in the deck: those in the hand below it are skipped.
    for (const taken of [...hand].sort((a, b) => a - b)) if (card >= taken) card += 1;
    hand.push(card);
  }
  return hand;
}
