/** Keys of extras may hold characters headers may not: they come percent-encoded; what is not so is taken as it is. */
export function decodeExtraKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
