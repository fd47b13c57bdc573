const SLASH = 0x2f;

/** Removes all slashes at the beginning and the end of a path. */
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
