import { endOfOwners, OWNERS_DEPTH } from "./parse-stored-object.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
/** What brackets and braces differ in. */
const BRACE = 0x20;

/** Shorter objects and lists are not in a skeleton: it takes less to look at them again. */
const SHORT_BYTES = 48;

/** Numbers of an entry: where the value begins, where it ends, and the place of the next entry that is not within it. */
export const ENTRY = 3;

/** Numbers that are written before they are read. */
const scratch: number[] = [];
const open: number[] = [];

/**
 * Where the objects and lists are in JSON that this server wrote, in one pass: those of some size, in the order in which they begin. So the
 * members of an object are found without a look at what is within them.
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
