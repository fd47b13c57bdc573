/** The smallest string greater than every string that starts with `prefix`, which must not be empty. */
export function prefixEnd(prefix: string): string {
  const last = prefix.length - 1;
  return prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
}
