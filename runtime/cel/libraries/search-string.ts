/**
 * Substring search in linear time. The engine's own search is usually faster, but for some inputs takes the product of both lengths (a long run
 * of one letter in which a long, slightly different run is searched). It is therefore used only for substrings up to this length.
 */
const SHORT = 32;

/** Like `text.indexOf(part, from)`. */
export function indexOfString(text: string, part: string, from = 0): number {
  if (part.length <= SHORT) return text.indexOf(part, from);
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === unit) matched++;
    if (matched === part.length) return at - part.length + 1;
  }
  return -1;
}

/** Like `text.lastIndexOf(part, from)`. */
export function lastIndexOfString(text: string, part: string, from = text.length): number {
  if (part.length <= SHORT) return text.lastIndexOf(part, from);
  const end = Math.min(text.length, from + part.length);
  const found = indexOfString(reversed(text.slice(0, end)), reversed(part));
  return found < 0 ? -1 : end - found - part.length;
}

/** Like `text.split(separator)`, with a non-empty separator. */
export function splitString(text: string, separator: string): string[] {
  if (separator.length <= SHORT) return text.split(separator);
  const parts: string[] = [];
  let at = 0;
  for (let found = indexOfString(text, separator); found >= 0; found = indexOfString(text, separator, at)) {
    parts.push(text.slice(at, found));
    at = found + separator.length;
  }
  return [...parts, text.slice(at)];
}

/** Returns for each prefix the length of the longest proper prefix that is also its suffix (Knuth, Morris and Pratt). */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let length = 0;
  for (let at = 1; at < part.length; at++) {
    while (length > 0 && part.charCodeAt(length) !== part.charCodeAt(at)) length = borders[length - 1] ?? 0;
    if (part.charCodeAt(length) === part.charCodeAt(at)) length++;
    borders[at] = length;
  }
  return borders;
}

function reversed(text: string): string {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[text.length - 1 - at] = text.charCodeAt(at);
  return Buffer.from(units.buffer).toString("utf16le");
}
