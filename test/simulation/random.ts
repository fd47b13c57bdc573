/** Numbers from 0 to below 1. */
export type Random = () => number;

/** A sequence that a seed and a name determine: those of two names have nothing in common. */
export function randomOf(seed: number, name: string): Random {
  let state = mix(seed >>> 0);
  for (const character of name) state = mix(state ^ (character.codePointAt(0) ?? 0));
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mix(state) / 2 ** 32;
  };
}

/** Spreads every bit of a number of 32 bits over all of them. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** An integer from 0 to below `count`. */
export function below(random: Random, count: number): number {
  return Math.floor(random() * count);
}

export function fill<T extends NodeJS.ArrayBufferView>(random: Random, view: T): T {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let index = 0; index < bytes.length; index++) bytes[index] = below(random, 256);
  return view;
}
