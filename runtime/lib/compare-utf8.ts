/**
 * Orders strings as their UTF-8 bytes do, which is how Kubernetes sorts keys. It differs from the `<` of JavaScript
 * only where characters outside the basic plane meet the top of that plane.
 */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Moves surrogates, which stand for the highest code points, above the rest of the basic plane. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Whether keys are in order, which those of stored objects nearly always are. */
export function isSortedUtf8(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) {
    if (compareUtf8(keys[i - 1] as string, keys[i] as string) > 0) return false;
  }
  return true;
}

/** Sorts keys in place unless they already are in order. */
export function sortUtf8(keys: string[]): string[] {
  return isSortedUtf8(keys) ? keys : keys.sort(compareUtf8);
}
