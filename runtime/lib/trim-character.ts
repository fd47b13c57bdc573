/** Removes the repetitions of one character at the end of a string. Takes linear time, unlike a pattern such as `/x+$/`. */
export function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** Removes the repetitions of one character at both ends of a string. */
export function trimOf(text: string, character: string): string {
  let start = 0;
  while (start < text.length && text[start] === character) start++;
  return trimEndOf(text.slice(start), character);
}
