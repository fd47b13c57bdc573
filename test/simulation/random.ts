/** Returns numbers from 0 to less than 1. */
export type Random = () => number;

/** Returns a sequence that is determined by seed and name. Sequences of different names are independent. */
export function randomOf(seed: number, name: string): Random {
  let state = mix(seed >>> 0);
  for (const character of name) state = mix(state ^ (character.codePointAt(0) ?? 0));
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mix(state) / 2 ** 32;
  };
}

/** Mixes a 32-bit number, so that every bit of the result depends on every bit of the input. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Returns an integer from 0 to less than `count`. */
export function below(random: Random, count: number): number {
  return Math.floor(random() * count);
}

export function fill<T extends NodeJS.ArrayBufferView>(random: Random, view: T): T {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let index = 0; index < bytes.length; index++) bytes[index] = below(random, 256);
  return view;
}
