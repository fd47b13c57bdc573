import { goQuote } from "../../../runtime/go/quote.ts";
import { trimEndOf } from "../../../runtime/lib/trim-character.ts";

/** A file that a volume projects to a path. */
export interface PlacedFile {
  readonly path: string;
  /** Describes the source. Only called if there is an overlap to report. */
  readonly source: () => string;
}

/** A file whose path equals, contains or is inside the path of an earlier file. */
export interface Overlap {
  readonly index: number;
  readonly text: string;
}

/** Files with the same path. In path order, the places inside it follow directly, up to the index `end`. */
interface Place {
  readonly path: string;
  readonly files: number[];
  readonly above: Place | undefined;
  end: number;
}

/** Maximum number of overlaps, more than fit in a response: its warnings are cut off after 4096 characters. */
export const MOST_OVERLAPS = 200;

/**
 * Returns the first overlaps, in the order of the files, and for each file in the order of the other files. Sorts the paths, so that
 * overlapping ones are adjacent and files need not be compared pairwise.
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

/** Replaces slashes by the lowest character, so that the paths inside a path sort directly after it. */
const BETWEEN_SEGMENTS = "\0";

/** Whether there is any overlap. Few volumes have one, so this is checked first. */
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
