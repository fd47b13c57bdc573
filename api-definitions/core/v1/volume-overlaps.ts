import { goQuote } from "../../../runtime/go/quote.ts";
import { trimEndOf } from "../../../runtime/lib/trim-character.ts";

/** A file that a volume puts somewhere. */
export interface PlacedFile {
  readonly path: string;
  /** Asked for when there is something to tell. */
  readonly source: () => string;
}

/** A file that is placed where one before it is, or above or below it. */
export interface Overlap {
  readonly index: number;
  readonly text: string;
}

/** Files with one path. In the order of paths those below it follow at once, up to `end`. */
interface Place {
  readonly path: string;
  readonly files: number[];
  readonly above: Place | undefined;
  end: number;
}

/** More warnings than a response can hold: it ends them after 4096 characters. */
export const MOST_OVERLAPS = 200;

/**
 * The first overlaps of files, in their order, and for each in the order of the other files. Paths are sorted, so that overlapping ones are
 * neighbours and no file is compared with all the others.
 */
export function findOverlaps(files: readonly PlacedFile[]): Overlap[] {
  const paths = files.map(({ path }) => trimEndOf(path, "/").replaceAll("/", BETWEEN_SEGMENTS));
  if (!doOverlap(paths)) return [];
  const { places, placeOf } = sortPlaces(paths);
  const found: Overlap[] = [];
  for (const [index, file] of files.entries()) {
    const at = placeOf.get(index);
    if (at === undefined) continue;
    const others: number[] = [];
    const addEarlier = (place: Place | undefined): void => {
      for (const other of place?.files ?? []) {
        if (other >= index || others.length >= MOST_OVERLAPS) break;
        others.push(other);
      }
    };
    const own = places[at];
    for (let place = own; place !== undefined; place = place.above) addEarlier(place);
    for (let below = at + 1; below < (own?.end ?? 0); below++) addEarlier(places[below]);
    for (const other of others.sort((a, b) => a - b)) {
      if (found.length >= MOST_OVERLAPS) return found;
      found.push({ index, text: `${show(file)} with ${show(files[other] as PlacedFile)}` });
    }
  }
  return found;
}

/** With the lowest character between segments, a path is followed by those below it. */
const BETWEEN_SEGMENTS = "\0";

/** Whether there is any overlap: hardly any volume has one. */
function doOverlap(paths: readonly string[]): boolean {
  if (paths.length < 2) return false;
  const sorted = paths.toSorted();
  return sorted.some((path, index) => {
    const before = sorted[index - 1] ?? "";
    return before !== "" && (path === before || path.startsWith(before + BETWEEN_SEGMENTS));
  });
}

function sortPlaces(paths: readonly string[]): { places: Place[]; placeOf: Map<number, number> } {
  const order = [...paths.keys()].filter((index) => paths[index] !== "");
  order.sort((a, b) => ((paths[a] as string) < (paths[b] as string) ? -1 : paths[a] === paths[b] ? a - b : 1));
  const places: Place[] = [];
  const placeOf = new Map<number, number>();
  let above: Place | undefined;
  for (const index of order) {
    const path = paths[index] as string;
    while (above !== undefined && above.path !== path && !path.startsWith(above.path + BETWEEN_SEGMENTS)) {
      above.end = places.length;
      above = above.above;
    }
    if (above?.path !== path) {
      above = { path, files: [], above, end: 0 };
      places.push(above);
    }
    above.files.push(index);
    placeOf.set(index, places.length - 1);
  }
  for (; above !== undefined; above = above.above) above.end = places.length;
  return { places, placeOf };
}

function show({ path, source }: PlacedFile): string {
  const [quoted, place] = [goQuote(trimEndOf(path, "/")), source()];
  return place === "" ? quoted : `${quoted} (${place})`;
}
