const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Pseudo-random numbers that depend only on a seed and some words: the same words always give the same number. */
export class Dice {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Returns a number from 0 to below 1. */
  roll(...words: readonly (string | number)[]): number {
    let hash = FNV_OFFSET ^ this.#seed;
    const text = words.join("\n");
    for (let index = 0; index < text.length; index++) {
      hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
    }
    // FNV alone changes the upper bits too little if words differ only at their end.
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  }
}
