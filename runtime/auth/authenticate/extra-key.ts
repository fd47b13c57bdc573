/** Keys of extras may contain characters that header names may not: they are percent-encoded. Invalid encodings are kept unchanged. */
export function decodeExtraKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
