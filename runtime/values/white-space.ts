/** White space as defined by Go's `strings.TrimSpace`: with U+0085 (next line), without U+FEFF (byte order mark). */
const SPACE = "[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const IS_SPACE = new RegExp(SPACE);

/** Removes white space at both ends. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && IS_SPACE.test(text[start] as string)) start++;
  while (end > start && IS_SPACE.test(text[end - 1] as string)) end--;
  return text.slice(start, end);
}
