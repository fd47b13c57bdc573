const SLASH = 0x2f;

/** A path without slashes at its beginning and its end, however many there are. */
export function trimSlashes(path: string): string {
  let start = 0;
  while (path.charCodeAt(start) === SLASH) start += 1;
  return trimLastSlashes(path.slice(start));
}

export function trimLastSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path.charCodeAt(end - 1) === SLASH) end -= 1;
  return path.slice(0, end);
}
