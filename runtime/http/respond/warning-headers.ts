/** Total length beyond which warnings are truncated. */
const MOST = 4096;
/** Length that each is then truncated to. */
const MOST_OF_ONE = 256;

/**
 * The values of Warning headers for texts, `299 - "text"` each. Texts with control characters are left out; where all of
 * them together are too long, each is cut, and what still does not fit is left out.
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

/** Looks at no more warnings than that takes: a body can cause as many as it has fields. */
function areTooLong(texts: readonly string[]): boolean {
  let length = 0;
  for (const text of texts) {
    if (isPrintable(text)) length += lengthOf(text);
    if (length > MOST) return true;
  }
  return false;
}

/** A character is one or two code units. */
function lengthOf(text: string): number {
  return text.length > 2 * MOST ? text.length : [...text].length;
}

/** Quotes are escaped; bytes of UTF-8 become single characters, which is how a header carries them. */
function escapeText(text: string): string {
  return text
    .replace(/[^\u0020-\u007e]/gu, (character) => Buffer.from(character, "utf8").toString("latin1"))
    .replace(/["\\]/g, "\\$&");
}
