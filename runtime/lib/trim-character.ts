/** A string without the repetitions of one character at its end. In linear time, which a pattern such as `/x+$/` is not. */
export function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** A string without the repetitions of one character at both ends. */
export function trimOf(text: string, character: string): string {
  let start = 0;
  while (start < text.length && text[start] === character) start++;
  return trimEndOf(text.slice(start), character);
}
