/** Returns a function for numbers between 0 and 1 that depend on the seed only. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // The low bits of such a sequence repeat early.
    return ((state ^ (state >>> 15)) >>> 0) / 2 ** 32;
  };
}
