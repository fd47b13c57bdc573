const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Numbers that look random and depend on a seed and some words alone: the same question always has the same answer. */
export class Dice {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** From 0 up to, and not including, 1. */
  roll(...words: readonly (string | number)[]): number {
    let hash = FNV_OFFSET ^ this.#seed;
    const text = words.join("\n");
    for (let index = 0; index < text.length; index++) {
      hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
    }
    // FNV alone changes the upper bits too little for words that differ at their end.
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  }
}
