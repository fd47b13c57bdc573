/** Total length of warnings above which each is truncated. */
const MOST = 4096;
/** Length to which each warning is then truncated. */
const MOST_OF_ONE = 256;

/**
 * Formats texts as values of Warning headers, such as `299 - "text"`. Omits texts with control characters. If the total length is too
 * large, truncates each text, and omits those that still do not fit.
 */
export function warningHeaders(texts: readonly string[]): string[] {
  const given = texts.filter((text) => text !== "");
  const isLong = areTooLong(given);
  const headers: string[] = [];
  let length = 0;
  for (const text of given) {
    const shown = isLong ? [...text.slice(0, 2 * MOST_OF_ONE)].slice(0, MOST_OF_ONE).join("") : text;
    if (!isPrintable(shown)) continue;
    if (isLong && length >= MOST) break;
    length += lengthOf(shown);
    headers.push(`299 - "${escapeText(shown)}"`);
  }
  return headers;
}

function isPrintable(text: string): boolean {
  return !/\p{Cc}/u.test(text);
}

/** Stops counting at the limit: a body can cause as many warnings as it has fields. */
function areTooLong(texts: readonly string[]): boolean {
  let length = 0;
  for (const text of texts) {
    if (isPrintable(text)) length += lengthOf(text);
    if (length > MOST) return true;
  }
  return false;
}

/** Length in characters. Each is one or two UTF-16 code units, so long texts need not be counted exactly. */
function lengthOf(text: string): number {
  return text.length > 2 * MOST ? text.length : [...text].length;
}

/** Escapes quotes and backslashes, and converts each UTF-8 byte to one character, which is how Node sends header bytes. */
function escapeText(text: string): string {
  return text
    .replace(/[^\u0020-\u007e]/gu, (character) => Buffer.from(character, "utf8").toString("latin1"))
    .replace(/["\\]/g, "\\$&");
}
