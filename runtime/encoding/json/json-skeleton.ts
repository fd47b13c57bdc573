import { endOfOwners, OWNERS_DEPTH } from "./parse-stored-object.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
/** The bit in which brackets and braces differ. */
const BRACE = 0x20;

/** Objects and lists shorter than this are not recorded in a skeleton: scanning them again is cheaper. */
const SHORT_BYTES = 48;

/** Numbers per entry: start of the value, end of the value, and index of the next entry that is not nested in it. */
export const ENTRY = 3;

/** Reused buffer in which numbers are collected before the result is created. */
const scratch: number[] = [];
const open: number[] = [];

/**
 * Returns the positions of the objects and lists of at least SHORT_BYTES in JSON that this server wrote, found in one pass and ordered by their
 * start. With them, the members of an object are found without scanning nested values.
 */
export function skeletonOf(json: Buffer): number[] {
  let places = 0;
  let depth = 0;
  const { length } = json;
  for (let i = 0; i < length; i++) {
    const byte = json[i] as number;
    if (byte === QUOTE) {
      let inside = json[++i];
      while (inside !== QUOTE && i < length) {
        if (inside === BACKSLASH) i++;
        inside = json[++i];
      }
      continue;
    }
    const brace = byte | BRACE;
    if (brace === OPEN) {
      scratch[places] = i;
      scratch[places + 1] = 0;
      scratch[places + 2] = 0;
      const owners = byte === OPEN || depth > OWNERS_DEPTH ? -1 : endOfOwners(json, i);
      if (owners >= 0) {
        scratch[places + 1] = owners;
        scratch[places + 2] = places + ENTRY;
        i = owners - 1;
      } else {
        open[depth++] = places;
      }
      places += ENTRY;
    } else if (brace === CLOSE) {
      const place = open[--depth] as number;
      if (i - (scratch[place] as number) < SHORT_BYTES) {
        places = place;
      } else {
        scratch[place + 1] = i + 1;
        scratch[place + 2] = places;
      }
    }
  }
  return scratch.slice(0, places);
}
