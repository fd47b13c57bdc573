import { hashOf } from "../encoding/json/json-tape.ts";

/** Finds the index of a field by the bytes of its name. */
export class FieldNames {
  readonly #names: readonly Buffer[];
  /** Hash table of index plus one. 0 means empty. */
  readonly #table: Int16Array;
  readonly #mask: number;

  constructor(names: readonly string[]) {
    this.#names = names.map((name) => Buffer.from(name));
    let size = 8;
    while (size < names.length * 4) size *= 2;
    this.#mask = size - 1;
    this.#table = new Int16Array(size);
    for (const [place, name] of this.#names.entries()) {
      if (name.length === 0) continue;
      let at = hashOf(name, 0, name.length) & this.#mask;
      while (this.#table[at] !== 0) at = (at + 1) & this.#mask;
      this.#table[at] = place + 1;
    }
  }

  /** Returns the index of a field, or -1 if no field has this name. */
  find(bytes: Uint8Array, start: number, end: number): number {
    if (start === end) return -1;
    for (let at = hashOf(bytes, start, end) & this.#mask; ; at = (at + 1) & this.#mask) {
      const place = (this.#table[at] as number) - 1;
      if (place < 0 || isSame(this.#names[place] as Buffer, bytes, start, end)) return place;
    }
  }
}

function isSame(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  const { length } = name;
  if (length !== end - start) return false;
  for (let i = 0; i < length; i++) if (name[i] !== bytes[start + i]) return false;
  return true;
}
